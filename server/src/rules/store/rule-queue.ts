import { INACTIVE_TENANTS } from '#access/store/tenant-states';
import type { MessageId, TenantId } from '#core/ids';
import type { SqlRunner, Statement, Transaction } from '#database/database';
import type { StoredInbound } from '#inbound/store/rule-queue';

/** A message that this process judges now. */
export interface ClaimedForRules extends StoredInbound {
  /** Number of this attempt, 1 for the first. */
  readonly attempt: number;
}

// Over all tenants, joined on tenant_id. Whoever moves due_ms ahead has the row until then.
const RULE_QUEUE_CLAIM: Statement = {
  name: 'rule_queue_claim',
  camelCase: true,
  text: `
with due as (
  select q.tenant_id, q.message_id from rule_queue q where q.due_ms <= $1 and q.tenant_id <> all(${INACTIVE_TENANTS}) order by q.due_ms, q.message_id limit $3
)
update rule_queue q set due_ms = $2, attempts = q.attempts + 1
from due d
where q.tenant_id = d.tenant_id and q.message_id = d.message_id and q.due_ms <= $1
returning q.tenant_id, q.message_id, q.contact_id, q.opened, q.attempts as attempt`,
};

/** Takes up to `limit` messages that are due. They are this process's until `untilMs`. */
export async function claimForRules(
  db: SqlRunner,
  claim: { readonly nowMs: number; readonly untilMs: number; readonly limit: number },
): Promise<readonly ClaimedForRules[]> {
  const { rows } = await db.run<ClaimedForRules>(RULE_QUEUE_CLAIM, [claim.nowMs, claim.untilMs, claim.limit]);
  return rows.toSorted((left, right) => (left.messageId < right.messageId ? -1 : 1));
}

const RULE_QUEUE_TAKE: Statement = {
  name: 'rule_queue_take',
  text: 'delete from rule_queue where tenant_id = $1 and message_id = $2',
};

/** Takes a message out for good. @returns false when another process was faster */
export async function takeFromRules(tx: Transaction, tenantId: TenantId, messageId: MessageId): Promise<boolean> {
  return (await tx.run(RULE_QUEUE_TAKE, [tenantId, messageId])).rowCount > 0;
}
