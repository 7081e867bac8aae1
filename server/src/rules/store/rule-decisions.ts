import type { ContactId, ConversationId, MessageId, RuleId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { ListWindow, Page } from '#core/paging';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { pageOf } from '#database/rows';
import type { Decision } from '#rules/domain/decide';

/** An action of a decision with what became of it. */
export interface DoneAction {
  readonly ruleId: RuleId;
  /** Place in `then`. */
  readonly index: number;
  readonly action: string;
  /** queued: a reply that leaves by itself. withheld, failed: why says why. */
  readonly outcome: 'done' | 'queued' | 'withheld' | 'failed';
  readonly why: string | null;
}

/** What was decided about a message, or a silence. */
export interface DecisionRecord extends Pick<Decision, 'ignored' | 'verdicts' | 'stoppedBy'> {
  readonly tenantId: TenantId;
  /** Of the message, or of the timer. */
  readonly decisionId: string;
  readonly messageId: MessageId;
  readonly contactId: ContactId;
  readonly conversationId: ConversationId;
  readonly silenceOf: RuleId | null;
  readonly setVersion: number;
  readonly opened: boolean;
  readonly facts: JsonObject;
  readonly actions: readonly DoneAction[];
  readonly matchedRules: readonly RuleId[];
  readonly decidedMs: number;
}

const RULE_DECISION_INSERT = statement('rule_decision_insert', { insertsOnly: true })`
insert into rule_decisions (tenant_id, decision_id, message_id, contact_id, conversation_id, silence_of, set_version,
  opened, ignored, facts, verdicts, actions, matched_rules, stopped_by, decided_ms)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, $11::jsonb, $12::jsonb, $13::uuid[], $14, $15)`;

/** @throws the driver's error when there is a decision of this id already: then everything of this one is undone */
export async function insertDecision(tx: Transaction, record: DecisionRecord): Promise<void> {
  await tx.run(RULE_DECISION_INSERT, [
    record.tenantId,
    record.decisionId,
    record.messageId,
    record.contactId,
    record.conversationId,
    record.silenceOf,
    record.setVersion,
    record.opened,
    record.ignored,
    JSON.stringify(record.facts),
    JSON.stringify(record.verdicts),
    JSON.stringify(record.actions),
    record.matchedRules,
    record.stoppedBy,
    record.decidedMs,
  ]);
}

/** What became of the replies of a decision: they leave after it. */
export interface ReplyFate {
  readonly rule_id: RuleId;
  readonly action: number;
  readonly state: 'pending' | 'sent' | 'failed';
  readonly message_id: MessageId | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface DecisionWithReplies {
  readonly record: DecisionRecord;
  readonly replies: readonly ReplyFate[];
}

/** A decision as `DECISIONS` reads it. */
export type DecisionRow = DecisionRecord & { readonly replies: readonly ReplyFate[] | null };

export interface DecisionFilter {
  readonly messageId?: string;
  readonly conversationId?: string;
  readonly ruleId?: string;
}

/** The beginning of a statement that reads decisions, as `d`, with their replies. */
export const DECISIONS = `select d.*, (
  select json_agg(json_build_object('rule_id', r.rule_id, 'action', r.action, 'state', r.state,
    'message_id', r.message_id, 'error', r.error) order by r.place)
  from rule_replies r where r.tenant_id = d.tenant_id and r.decision_id = d.decision_id
) as replies
from rule_decisions d`;

export function withReplies({ replies, ...record }: DecisionRow): DecisionWithReplies {
  return { record, replies: replies ?? [] };
}

const RULE_DECISIONS_LIST = statement('rule_decisions_list')`
${DECISIONS}
where d.tenant_id = $1
  and ($2::uuid is null or d.decision_id < $2::uuid)
  and ($3::uuid is null or d.message_id = $3::uuid)
  and ($4::uuid is null or d.conversation_id = $4::uuid)
  and ($5::uuid is null or d.matched_rules @> array[$5::uuid])
order by d.decision_id desc
limit $6 offset $7`;

/** Decisions of a tenant, newest first. @param filter ruleId: those in which the rule matched */
export async function listDecisions(
  db: SqlRunner,
  tenantId: TenantId,
  filter: DecisionFilter,
  { limit, offset, beforeId }: ListWindow,
): Promise<Page<DecisionWithReplies>> {
  const { messageId = null, conversationId = null, ruleId = null } = filter;
  const filters = [messageId, conversationId, ruleId];
  const values = [tenantId, beforeId, ...filters, limit + 1, beforeId === null ? offset : 0];
  const { rows } = await db.run<DecisionRow>(RULE_DECISIONS_LIST, values);
  return pageOf(rows.map(withReplies), limit);
}
