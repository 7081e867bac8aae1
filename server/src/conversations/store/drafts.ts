import type { AgentId, ConversationId, MediaId, TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { plainArray } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow, pageOf } from '#database/rows';

/** Whose draft it is, and where. */
export interface DraftKey {
  readonly tenantId: TenantId;
  readonly conversationId: string;
  readonly agentId: AgentId;
}

/** What an agent has written in a conversation and not sent. */
export interface Draft {
  readonly conversationId: ConversationId;
  readonly agentId: AgentId;
  readonly body: string;
  readonly mediaIds: readonly MediaId[];
  readonly createdMs: number;
  readonly updatedMs: number;
}

const COLUMNS = 'd.conversation_id, d.agent_id, d.body, d.media_ids, d.created_ms, d.updated_ms';

const DRAFT_FIND = statement('conversation_draft_find')`
select ${COLUMNS} from conversation_drafts d where d.tenant_id = $1 and d.conversation_id = $2 and d.agent_id = $3`;

export function findDraft(db: SqlRunner, { tenantId, conversationId, agentId }: DraftKey): Promise<Draft | null> {
  return firstRow(db.run<Draft>(DRAFT_FIND, [tenantId, conversationId, agentId]));
}

const DRAFT_LIST = statement('conversation_draft_list')`
select ${COLUMNS} from conversation_drafts d
where d.tenant_id = $1 and d.agent_id = $2 and ($3::uuid is null or d.conversation_id < $3)
order by d.conversation_id desc limit $4 offset $5`;

/** What one agent has not sent in all conversations, the newest conversation first: saving a draft moves none of them. */
export async function listDrafts(
  db: SqlRunner,
  { tenantId, agentId }: Pick<DraftKey, 'tenantId' | 'agentId'>,
  { limit, offset, beforeId }: ListWindow,
): Promise<Page<Draft>> {
  const { rows } = await db.run<Draft>(DRAFT_LIST, [tenantId, agentId, beforeId, limit + 1, offset]);
  return pageOf(rows, limit);
}

/** One statement: what the agent types is saved every few seconds. */
const DRAFT_SAVE = statement('conversation_draft_save')`
insert into conversation_drafts as d (tenant_id, conversation_id, agent_id, body, media_ids, created_ms, updated_ms)
select c.tenant_id, c.conversation_id, $3::uuid, $4, $5::uuid[], $6::bigint, $6::bigint
from conversations c where c.tenant_id = $1 and c.conversation_id = $2
on conflict (tenant_id, conversation_id, agent_id)
do update set body = excluded.body, media_ids = excluded.media_ids, updated_ms = greatest(d.updated_ms, excluded.updated_ms)
returning ${COLUMNS}`;

/** Stores a draft in place of the one before. @returns null when there is no such conversation */
export function saveDraft(
  db: SqlRunner,
  { tenantId, conversationId, agentId }: DraftKey,
  draft: Pick<Draft, 'body' | 'mediaIds'> & { readonly nowMs: number },
): Promise<Draft | null> {
  const values = [draft.body, plainArray(draft.mediaIds), draft.nowMs];
  return firstRow(db.run<Draft>(DRAFT_SAVE, [tenantId, conversationId, agentId, ...values]));
}

const DRAFT_DELETE = statement('conversation_draft_delete')`
delete from conversation_drafts where tenant_id = $1 and conversation_id = $2 and agent_id = $3`;

/** @returns false when there was none */
export async function deleteDraft(db: SqlRunner, { tenantId, conversationId, agentId }: DraftKey): Promise<boolean> {
  return (await db.run(DRAFT_DELETE, [tenantId, conversationId, agentId])).rowCount > 0;
}

const DRAFTS_OF_AGENT = statement('conversation_drafts_of_agent')`
delete from conversation_drafts where tenant_id = $1 and agent_id = $2`;

/** What an agent who is deleted had not sent. */
export async function deleteDraftsOf(tx: Transaction, tenantId: TenantId, agentId: AgentId): Promise<void> {
  await tx.run(DRAFTS_OF_AGENT, [tenantId, agentId]);
}
