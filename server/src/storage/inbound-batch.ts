import type { ContactId, ConversationId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { SqlRunner, Statement } from './database.ts';

/** How a contact can be recognised; at least one is there. */
export interface Identity {
  readonly phone: string | null;
  readonly userId: string | null;
}

export interface InboundRow extends Identity {
  readonly tenantId: TenantId;
  readonly messageId: MessageId;
  readonly networkMessageId: string;
  readonly phoneNumberId: PhoneNumberId;
  readonly profileName: string | null;
  readonly username: string | null;
  readonly type: string;
  readonly body: string | null;
  readonly content: JsonObject;
  readonly replyTo: MessageId | null;
  readonly networkMs: number;
  readonly nowMs: number;
}

const IDENTIFY: Statement = {
  name: 'contact_identify',
  text: `
select contact_id, kind from contact_identities
where tenant_id = $1 and ((kind = 'phone' and value = $2) or (kind = 'user_id' and value = $3))
order by kind`,
};

const ADD_IDENTITY: Statement = {
  name: 'contact_add_identity',
  text: `
insert into contact_identities (tenant_id, kind, value, contact_id) values ($1, $2, $3, $4)
on conflict (tenant_id, kind, value) do update set value = excluded.value
returning contact_id`,
};

const ADD_CONTACT: Statement = {
  name: 'contact_add',
  text: `
insert into contacts (tenant_id, contact_id, phone, user_id, profile_name, username, last_inbound_ms, created_ms, updated_ms)
values ($1, $2, $3, $4, $5, $6, $7, $8, $8) on conflict do nothing`,
};

const TOUCH_CONTACT: Statement = {
  name: 'contact_touch',
  text: `
update contacts set
  phone = coalesce(phone, $3), user_id = coalesce($4, user_id), profile_name = coalesce($5, profile_name),
  username = coalesce($6, username), last_inbound_ms = greatest(last_inbound_ms, $7), updated_ms = greatest(updated_ms, $8)
where tenant_id = $1 and contact_id = $2`,
};

/**
 * The contact of a sender, made when there is none. Two first messages at once meet on the key of the identity: the
 * second waits for the first and gets its contact.
 * @param freshId used when the contact is new
 */
export async function findOrMakeContact(tx: SqlRunner, row: InboundRow, freshId: ContactId): Promise<ContactId> {
  const { rows } = await tx.run<{ contact_id: ContactId }>(IDENTIFY, [row.tenantId, row.phone, row.userId]);
  const contactId = await claimIdentities(tx, row, rows[0]?.contact_id ?? freshId);
  const details = [row.phone, row.userId, row.profileName, row.username, row.networkMs, row.nowMs];
  if (contactId === freshId) await tx.run(ADD_CONTACT, [row.tenantId, contactId, ...details]);
  else await tx.run(TOUCH_CONTACT, [row.tenantId, contactId, ...details]);
  return contactId;
}

/** Phone first: when both are known and point to different contacts, the phone's wins (a merge is a person's decision). */
async function claimIdentities(tx: SqlRunner, row: InboundRow, wanted: ContactId): Promise<ContactId> {
  let contactId = wanted;
  const identities = [
    ['phone', row.phone],
    ['user_id', row.userId],
  ] as const;
  let decided = false;
  for (const [kind, value] of identities) {
    if (value === null) continue;
    const { rows } = await tx.run<{ contact_id: ContactId }>(ADD_IDENTITY, [row.tenantId, kind, value, contactId]);
    if (!decided) contactId = rows[0]?.contact_id ?? contactId;
    decided = true;
  }
  return contactId;
}

const OPEN_CONVERSATION: Statement = {
  name: 'conversation_open',
  text: `
insert into conversations (
  tenant_id, conversation_id, contact_id, phone_number_id, unread_count, last_message_ms, last_inbound_ms,
  window_expires_ms, created_ms, updated_ms)
values ($1, $2, $3, $4, 1, $5, $5, $6, $7, $7)
on conflict (tenant_id, contact_id, phone_number_id) where status <> 'resolved' do update set
  unread_count = conversations.unread_count + 1,
  last_message_ms = greatest(conversations.last_message_ms, excluded.last_message_ms),
  last_inbound_ms = greatest(conversations.last_inbound_ms, excluded.last_inbound_ms),
  window_expires_ms = greatest(conversations.window_expires_ms, excluded.window_expires_ms),
  updated_ms = greatest(conversations.updated_ms, excluded.updated_ms)
returning conversation_id`,
};

/** The customer service window: 24 hours from the customer's latest message. */
const WINDOW_MS = 24 * 60 * 60 * 1000;

/** The one open conversation of a contact and number, made when there is none, with the new message counted. */
export async function findOrOpenConversation(
  tx: SqlRunner,
  row: InboundRow,
  ids: { readonly contactId: ContactId; readonly freshId: ConversationId },
): Promise<ConversationId> {
  const { rows } = await tx.run<{ conversation_id: ConversationId }>(OPEN_CONVERSATION, [
    row.tenantId,
    ids.freshId,
    ids.contactId,
    row.phoneNumberId,
    row.networkMs,
    row.networkMs + WINDOW_MS,
    row.nowMs,
  ]);
  return rows[0]?.conversation_id ?? ids.freshId;
}

const INSERT_INBOUND: Statement = {
  name: 'inbound_insert',
  text: `
insert into inbound_messages (
  tenant_id, message_id, network_message_id, phone_number_id, sender, from_phone, from_user_id, profile_name, type, body,
  content, reply_to, contact_id, conversation_id, network_ms, created_ms)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::jsonb, $12, $13, $14, $15, $16)`,
};

export async function insertInbound(
  tx: SqlRunner,
  row: InboundRow,
  ids: { readonly contactId: ContactId; readonly conversationId: ConversationId },
): Promise<void> {
  await tx.run(INSERT_INBOUND, [
    row.tenantId,
    row.messageId,
    row.networkMessageId,
    row.phoneNumberId,
    row.phone ?? row.userId,
    row.phone,
    row.userId,
    row.profileName,
    row.type,
    row.body,
    JSON.stringify(row.content),
    row.replyTo,
    ids.contactId,
    ids.conversationId,
    row.networkMs,
    row.nowMs,
  ]);
}

const KNOWN_INBOUND: Statement = {
  name: 'inbound_known',
  text: `
select i.network_message_id from inbound_messages i
where i.tenant_id = $1 and i.network_message_id = any($2::text[])`,
};

/** Which of these network ids are stored already. */
export async function findKnownInbound(
  tx: SqlRunner,
  tenantId: TenantId,
  networkIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await tx.run<{ network_message_id: string }>(KNOWN_INBOUND, [tenantId, networkIds]);
  return new Set(rows.map((row) => row.network_message_id));
}
