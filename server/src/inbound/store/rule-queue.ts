import type { ContactId, MessageId, TenantId } from '#core/ids';
import { plainArray } from '#database/arrays';
import type { Statement, Transaction } from '#database/database';

/** A stored message of a customer. */
export interface StoredInbound {
  readonly tenantId: TenantId;
  readonly messageId: MessageId;
  readonly contactId: ContactId;
  /** Whether it opened its conversation. */
  readonly opened: boolean;
}

export const RULE_QUEUE_ADD: Statement = {
  name: 'rule_queue_add',
  text: `
insert into rule_queue (tenant_id, message_id, contact_id, opened, due_ms)
select t.tenant_id, t.message_id, t.contact_id, t.opened, $5::bigint
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::boolean[]) as t (tenant_id, message_id, contact_id, opened)
join rule_sets s on s.tenant_id = t.tenant_id and s.enabled > 0`,
};

/** Queues messages whose tenant has rules, in the transaction that stores them: none can be lost. */
export async function queueForRules(tx: Transaction, messages: readonly StoredInbound[], nowMs: number): Promise<void> {
  if (messages.length === 0) return;
  await tx.run(RULE_QUEUE_ADD, [
    plainArray(messages.map(({ tenantId }) => tenantId)),
    plainArray(messages.map(({ messageId }) => messageId)),
    plainArray(messages.map(({ contactId }) => contactId)),
    plainArray(messages.map(({ opened }) => opened)),
    nowMs,
  ]);
}
