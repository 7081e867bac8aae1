import { isUuid, type MessageId, type TenantId } from '#core/ids';
import { type SqlRunner, statement } from '#database/database';
import { customerIn, isNetworkMessageId, readSurrogate } from '#messages/domain/network-message-id';

const MESSAGE_BY_NETWORK_ID = statement('message_by_network_id')`
select m.message_id from inbound_messages m
where m.tenant_id = $1::uuid and m.network_message_id = $2::text
union all
select m.message_id from outbound_messages m
where m.tenant_id = $1::uuid and m.to_phone = $3::text and m.network_message_id = $2::text
limit 1`;

/**
 * Our id of the message that a caller names: by our id in any case, by its surrogate, or by the network's id.
 * @param name whatever the caller wrote
 * @returns an id in lower case, which may be nobody's; null when the name can be none, or no message of the tenant has this id on the network
 */
export async function findMessageId(db: SqlRunner, tenantId: TenantId, name: string): Promise<MessageId | null> {
  const lower = name.toLowerCase();
  if (isUuid(lower)) return lower as MessageId;
  if (!isNetworkMessageId(name)) return readSurrogate(name);
  // Messages are found by their recipients, who are in the network's ids: an index of these ids would cost every message.
  const { rows } = await db.run<{ readonly messageId: MessageId }>(MESSAGE_BY_NETWORK_ID, [
    tenantId,
    name,
    customerIn(name),
  ]);
  return rows[0]?.messageId ?? null;
}
