import { INACTIVE_TENANTS } from '#access/store/tenant-states';
import type { MessageId, PhoneNumberId, RuleId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { type SqlRunner, statement } from '#database/database';

/** An answer of a rule that is to leave. */
export interface RuleReply {
  readonly tenantId: TenantId;
  readonly decisionId: string;
  readonly ruleId: RuleId;
  /** Place of the action in its rule, from 0. */
  readonly action: number;
  /** Place among the replies of the decision, from 0. */
  readonly place: number;
  readonly to: string;
  readonly phoneNumberId: PhoneNumberId;
  /** The send in the API's spelling, without recipient and number. */
  readonly content: JsonObject;
  readonly createdMs: number;
}

export interface ClaimedReply extends RuleReply {
  readonly attempt: number;
}

const RULE_REPLY_INSERT = statement('rule_reply_insert', { insertsOnly: true })`
insert into rule_replies (tenant_id, decision_id, rule_id, action, place, to_phone, phone_number_id, content, due_ms, created_ms)
values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10)`;

/** @param dueMs when somebody else may send it: until then whoever decided does */
export async function insertReply(db: SqlRunner, reply: RuleReply, dueMs: number): Promise<void> {
  const { tenantId, decisionId, ruleId, action, place, to, phoneNumberId, content, createdMs } = reply;
  const key = [tenantId, decisionId, ruleId, action, place];
  await db.run(RULE_REPLY_INSERT, [...key, to, phoneNumberId, JSON.stringify(content), dueMs, createdMs]);
}

// Over all tenants, joined on tenant_id. Whoever moves due_ms ahead has the row until then.
const RULE_REPLY_CLAIM = statement('rule_reply_claim')`
with due as (
  select r.tenant_id, r.decision_id, r.rule_id, r.action from rule_replies r
  where r.due_ms <= $1 and r.tenant_id <> all(${INACTIVE_TENANTS}) order by r.due_ms limit $3
)
update rule_replies r set due_ms = $2, attempts = least(r.attempts + 1, 30000)
from due d
where r.tenant_id = d.tenant_id and r.decision_id = d.decision_id and r.rule_id = d.rule_id and r.action = d.action
  and r.due_ms <= $1
returning r.tenant_id, r.decision_id, r.rule_id, r.action, r.place, r.to_phone as "to", r.phone_number_id, r.content,
  r.attempts as attempt, r.created_ms`;

/** Takes replies that nobody has sent, in the order in which they were decided. */
export async function claimReplies(
  db: SqlRunner,
  claim: { readonly nowMs: number; readonly untilMs: number; readonly limit: number },
): Promise<readonly ClaimedReply[]> {
  const { rows } = await db.run<ClaimedReply>(RULE_REPLY_CLAIM, [claim.nowMs, claim.untilMs, claim.limit]);
  return rows.toSorted((left, right) => left.createdMs - right.createdMs || left.place - right.place);
}

const RULE_REPLY_SETTLE = statement('rule_reply_settle')`
update rule_replies set state = $5, message_id = $6, error = $7::jsonb, due_ms = null
where tenant_id = $1 and decision_id = $2 and rule_id = $3 and action = $4 and state = 'pending'`;

export type ReplyEnd =
  | { readonly state: 'sent'; readonly messageId: MessageId }
  | { readonly state: 'failed'; readonly error: { readonly code: string; readonly message: string } };

/** Notes what became of a reply. */
export async function settleReply(db: SqlRunner, reply: RuleReply, end: ReplyEnd): Promise<void> {
  const { tenantId, decisionId, ruleId, action } = reply;
  const messageId = end.state === 'sent' ? end.messageId : null;
  const error = end.state === 'failed' ? JSON.stringify(end.error) : null;
  await db.run(RULE_REPLY_SETTLE, [tenantId, decisionId, ruleId, action, end.state, messageId, error]);
}

const POSTPONE = statement('rule_reply_postpone')`
update rule_replies set due_ms = $5
where tenant_id = $1 and decision_id = $2 and rule_id = $3 and action = $4 and state = 'pending'`;

/** Lets a reply be tried again at a time. */
export async function postponeReply(db: SqlRunner, reply: RuleReply, dueMs: number): Promise<void> {
  const { tenantId, decisionId, ruleId, action } = reply;
  await db.run(POSTPONE, [tenantId, decisionId, ruleId, action, dueMs]);
}
