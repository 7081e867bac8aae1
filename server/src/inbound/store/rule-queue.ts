import { INACTIVE_TENANTS } from '#access/store/tenant-states';
import type { ContactId, MessageId, TenantId } from '#core/ids';
import { columnsOf, plainArray } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';

/** A stored message of a customer. */
export interface StoredInbound {
  readonly tenantId: TenantId;
  readonly messageId: MessageId;
  readonly contactId: ContactId;
  /** Whether it opened its conversation. */
  readonly opened: boolean;
}

export const RULE_QUEUE_ADD = statement('rule_queue_add')`
insert into rule_queue (tenant_id, message_id, contact_id, opened, due_ms)
select t.tenant_id, t.message_id, t.contact_id, t.opened, $5::bigint
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::boolean[]) as t (tenant_id, message_id, contact_id, opened)
join rule_sets s on s.tenant_id = t.tenant_id and s.enabled > 0`;

/** Queues messages whose tenant has rules, in the transaction that stores them: none can be lost. */
export async function queueForRules(tx: Transaction, messages: readonly StoredInbound[], nowMs: number): Promise<void> {
  if (messages.length === 0) return;
  const columns = columnsOf(messages, 'tenantId', 'messageId', 'contactId', 'opened').map(plainArray);
  await tx.run(RULE_QUEUE_ADD, [...columns, nowMs]);
}

/** A message that this process judges now. */
export interface ClaimedForRules extends StoredInbound {
  /** Number of this attempt, 1 for the first. */
  readonly attempt: number;
}

// Over all tenants, joined on tenant_id. Whoever moves due_ms ahead has the row until then.
const RULE_QUEUE_CLAIM = statement('rule_queue_claim', { hot: true })`
with due as (
  select q.tenant_id, q.message_id from rule_queue q where q.due_ms <= $1 and q.tenant_id <> all(${INACTIVE_TENANTS}) order by q.due_ms, q.message_id limit $3
)
update rule_queue q set due_ms = $2, attempts = q.attempts + 1
from due d
where q.tenant_id = d.tenant_id and q.message_id = d.message_id and q.due_ms <= $1
returning q.tenant_id, q.message_id, q.contact_id, q.opened, q.attempts as attempt`;

/** Takes up to `limit` messages that are due. They are this process's until `untilMs`. */
export async function claimForRules(
  db: SqlRunner,
  claim: { readonly nowMs: number; readonly untilMs: number; readonly limit: number },
): Promise<readonly ClaimedForRules[]> {
  const { rows } = await db.run<ClaimedForRules>(RULE_QUEUE_CLAIM, [claim.nowMs, claim.untilMs, claim.limit]);
  return rows.toSorted((left, right) => (left.messageId < right.messageId ? -1 : 1));
}

const RULE_QUEUE_TAKE = statement('rule_queue_take')`delete from rule_queue where tenant_id = $1 and message_id = $2`;

/** Takes a message out for good. @returns false when another process was faster */
export async function takeFromRules(tx: Transaction, tenantId: TenantId, messageId: MessageId): Promise<boolean> {
  return (await tx.run(RULE_QUEUE_TAKE, [tenantId, messageId])).rowCount > 0;
}
