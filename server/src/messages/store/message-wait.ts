import { findLaneFacts } from '#accounts/store/lane-facts';
import { isUuid, type MessageId, type PhoneNumberId, type TenantId } from '#core/ids';
import { type SqlRunner, statement } from '#database/database';
import { type MessageWaiting, messageWaiting, type QueuedFacts, type WaitMoment } from '#messages/domain/message-wait';

interface QueuedRow extends QueuedFacts {
  readonly messageId: MessageId;
  readonly phoneNumberId: PhoneNumberId;
}

const MESSAGE_QUEUED = statement('message_queued')`
select q.message_id, q.phone_number_id, q.state, q.priority, q.due_ms, q.epoch, q.pair_reserved, m.send_at_ms,
  case when m.history -> -1 ->> 'event' = 'retry' then (m.history -> -1 -> 'data' ->> 'network_code')::integer end as retry_code
from send_queue q join outbound_messages m on m.tenant_id = q.tenant_id and m.message_id = q.message_id
where q.tenant_id = $1 and q.message_id = $2`;

/**
 * What an outbound message waits for; null when it waits for nothing: it is being sent, was sent, has failed, or is not there.
 * At most two reads of bounded cost.
 */
export async function findMessageWaiting(
  db: SqlRunner,
  tenantId: TenantId,
  messageId: string,
  moment: WaitMoment,
): Promise<MessageWaiting | null> {
  if (!isUuid(messageId)) return null;
  const [queued] = (await db.run<QueuedRow>(MESSAGE_QUEUED, [tenantId, messageId])).rows;
  if (queued === undefined) return null;
  const lane = await findLaneFacts(db, { ...queued, tenantId, byMs: moment.nowMs });
  return lane && messageWaiting(queued, lane, moment);
}
