import type { MessageId, TenantId } from '#core/ids';
import type { QueueState } from '#core/queue-state';
import { type SqlRunner, statement } from '#database/database';
import type { DeliveryError } from '#messages/domain/message';
import { REPLACING_LETTERS } from './dead-letters.ts';

/**
 * Touches as little as possible: a row that stands here could not be settled in the usual way, because of what it holds
 * or because of what belongs to it. It tells no event and leaves conversation, trace and contact as they are.
 */
const SETTLE_END_SEND = statement('settle_end_send')`
with locked as materialized (
  select 1 from outbound_messages m where m.tenant_id = $1::uuid and m.message_id = $2::uuid for no key update
), gone as (
  delete from send_queue q where (select count(*) from locked) >= 0 and q.tenant_id = $1::uuid and q.message_id = $2::uuid
    and ($3::smallint is null or q.state = $3::smallint) and ($4::bigint is null or q.epoch = $4::bigint)
  returning 1
), ended as (
  update outbound_messages m set
    status = case when $5::jsonb is null then 'sent' else 'failed' end,
    error = $5::jsonb,
    accepted_ms = case when $5::jsonb is null then coalesce(m.accepted_ms, $6::bigint) else m.accepted_ms end,
    failed_ms = case when $5::jsonb is null then m.failed_ms else $6::bigint end,
    updated_ms = greatest(m.updated_ms, $6::bigint), news = 0
  where m.tenant_id = $1::uuid and m.message_id = $2::uuid and m.status = 'queued' and exists (select from gone)
  returning m.tenant_id, m.message_id
)
insert into dead_letters (tenant_id, message_id, code, reason, dead_ms)
select tenant_id, message_id, $5::jsonb ->> 'code', $5::jsonb ->> 'message', $6::bigint from ended where $5::jsonb is not null
${REPLACING_LETTERS}`;

/** The end of one send that cannot be settled otherwise. */
export interface EndedSend {
  readonly tenantId: TenantId;
  readonly messageId: MessageId;
  /** The state and the epoch that its queue row must still have; null: any. */
  readonly fromState: QueueState | null;
  readonly epoch: number | null;
  /** Null: the network took the message. */
  readonly error: DeliveryError | null;
  readonly nowMs: number;
}

/** Takes a message out of the queue, as sent or as a dead letter. */
export async function endSend(
  db: SqlRunner,
  { tenantId, messageId, fromState, epoch, ...end }: EndedSend,
): Promise<void> {
  const error = end.error === null ? null : JSON.stringify(end.error);
  await db.run(SETTLE_END_SEND, [tenantId, messageId, fromState, epoch, error, end.nowMs]);
}
