import { isUuid, type MessageId, type TenantId } from '#core/ids';
import { type SqlRunner, statement } from '#database/database';
import { customerIn, isNetworkMessageId, readSurrogate } from '#messages/domain/network-message-id';

const MESSAGES_BY_NETWORK_ID = statement('messages_by_network_id')`
select m.message_id, m.network_message_id from inbound_messages m
where m.tenant_id = $1::uuid and m.network_message_id = any($2::text[])
union all
select m.message_id, m.network_message_id from outbound_messages m
where m.tenant_id = $1::uuid and m.to_phone = any($3::text[]) and m.network_message_id = any($2::text[])`;

/**
 * Our ids of the messages that a caller names: by our id in any case, by its surrogate, or by the network's id.
 * @param names whatever the caller wrote
 * @returns ids in lower case, which may be nobody's, by name; a name is absent when it can be none, or no message of the tenant has this id on the network
 */
export async function findMessageIds(
  db: SqlRunner,
  tenantId: TenantId,
  names: readonly string[],
): Promise<ReadonlyMap<string, MessageId>> {
  const ofNetwork = names.filter(isNetworkMessageId);
  const found = ofNetwork.length === 0 ? [] : await findByNetworkIds(db, tenantId, ofNetwork);
  const read = names.flatMap((name) => {
    const lower = name.toLowerCase();
    const id = isUuid(lower) ? (lower as MessageId) : readSurrogate(name);
    return id === null ? [] : [[name, id] as const];
  });
  return new Map([...read, ...found]);
}

/** The same for one name. Null: it can be none, or no message of the tenant has this id on the network. */
export async function findMessageId(db: SqlRunner, tenantId: TenantId, name: string): Promise<MessageId | null> {
  return (await findMessageIds(db, tenantId, [name])).get(name) ?? null;
}

async function findByNetworkIds(
  db: SqlRunner,
  tenantId: TenantId,
  names: readonly string[],
): Promise<readonly (readonly [name: string, MessageId])[]> {
  // Messages are found by their recipients, who are in the network's ids: an index of these ids would cost every message.
  const recipients = names.map(customerIn).filter((customer) => customer !== null);
  const { rows } = await db.run<{ readonly messageId: MessageId; readonly networkMessageId: string }>(
    MESSAGES_BY_NETWORK_ID,
    [tenantId, names, recipients],
  );
  return rows.map(({ networkMessageId, messageId }) => [networkMessageId, messageId]);
}
