import type { Suggestion } from '#conversations/domain/suggestion';
import type { Actor } from '#core/caller/actor';
import type { ConversationId, TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow, type Lock, pageOf } from '#database/rows';

interface Row extends Omit<Suggestion, 'author'> {
  readonly authorKind: Actor['kind'];
  readonly authorId: string | null;
}

const COLUMNS = `
  s.tenant_id, s.suggestion_id, s.conversation_id, s.body, s.author_kind, s.author_id, s.status, s.decided_by, s.decided_ms,
  s.created_ms, s.expires_ms`;

function toSuggestion({ authorKind: kind, authorId: id, ...row }: Row): Suggestion {
  return { ...row, author: { kind, id } };
}

const SUGGESTION_ADD = statement('suggestion_add')`
insert into conversation_suggestions (
  tenant_id, suggestion_id, conversation_id, body, author_kind, author_id, status, created_ms, expires_ms)
values ($1, $2, $3, $4, $5, $6, 'open', $7, $8)`;

/** Stores one that is open. */
export async function addSuggestion(tx: Transaction, one: Suggestion): Promise<void> {
  const { tenantId, suggestionId, conversationId, body, author, createdMs, expiresMs } = one;
  const values = [tenantId, suggestionId, conversationId, body, author.kind, author.id, createdMs, expiresMs];
  await tx.run(SUGGESTION_ADD, values);
}

const SUGGESTION_LOCK = statement('suggestion_lock')`
select ${COLUMNS} from conversation_suggestions s where s.tenant_id = $1 and s.suggestion_id = $2 for update`;

export const lockSuggestion: Lock<Suggestion> = (tx, ...key) =>
  firstRow(tx.run<Row>(SUGGESTION_LOCK, key), toSuggestion);

const SUGGESTION_DECIDE = statement('suggestion_decide')`
update conversation_suggestions set status = $3, decided_by = $4, decided_ms = $5
where tenant_id = $1 and suggestion_id = $2`;

/** Stores what was decided about one that is locked. */
export async function decideSuggestion(tx: Transaction, one: Suggestion): Promise<void> {
  await tx.run(SUGGESTION_DECIDE, [one.tenantId, one.suggestionId, one.status, one.decidedBy, one.decidedMs]);
}

const SUGGESTION_COUNT = statement('suggestion_count_open')`
select count(*)::integer as open from conversation_suggestions
where tenant_id = $1 and conversation_id = $2 and status = 'open' and expires_ms > $3`;

/** How many a conversation has that can be taken over. */
export async function countOpenSuggestions(
  tx: Transaction,
  of: { readonly tenantId: TenantId; readonly conversationId: ConversationId; readonly nowMs: number },
): Promise<number> {
  const { rows } = await tx.run<{ open: number }>(SUGGESTION_COUNT, [of.tenantId, of.conversationId, of.nowMs]);
  return rows[0]?.open ?? 0;
}

export interface SuggestionsOf {
  readonly tenantId: TenantId;
  readonly conversationId: string;
  /** Only those that can be taken over at this moment; null: all that are kept. */
  readonly openAtMs: number | null;
}

const SUGGESTION_LIST = statement('suggestion_list')`
select ${COLUMNS} from conversation_suggestions s
where s.tenant_id = $1 and s.conversation_id = $2 and ($3::bigint is null or (s.status = 'open' and s.expires_ms > $3))
  and ($4::uuid is null or s.suggestion_id < $4)
order by s.suggestion_id desc limit $5 offset $6`;

/** Newest first. */
export async function listSuggestions(
  db: SqlRunner,
  { tenantId, conversationId, openAtMs }: SuggestionsOf,
  { limit, offset, beforeId }: ListWindow,
): Promise<Page<Suggestion>> {
  const values = [tenantId, conversationId, openAtMs, beforeId, limit + 1, offset];
  const { rows } = await db.run<Row>(SUGGESTION_LIST, values);
  return pageOf(rows.map(toSuggestion), limit);
}
