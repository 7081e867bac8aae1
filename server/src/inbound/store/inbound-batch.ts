import type { ContactId, ConversationId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { columnsOf, plainArray, sparse, sparsePlain, tokenArray } from '#database/arrays';
import { statement, type Transaction } from '#database/database';
import type { MessageVersion } from '#messages/domain/message-change';
import type { MessageContext } from '#messages/domain/message-context';
import { nameKey } from '#messages/store/status-batch';

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
  readonly context: MessageContext | null;
  readonly groupId: string | null;
  readonly opensWindow: boolean;
  readonly versions: readonly MessageVersion[] | null;
  readonly deletedMs: number | null;
  readonly replyTo: MessageId | null;
  /** The advertisement that brought the customer, as the network tells it. */
  readonly referral: JsonObject | null;
  readonly networkMs: number;
  readonly nowMs: number;
  /** Whether only the history of the number reports it; left out: it does not. */
  readonly isPast?: boolean;
}

const INSERT_INBOUND = statement('inbound_insert', { insertsOnly: true })`
insert into inbound_messages (
  tenant_id, message_id, network_message_id, phone_number_id, sender, from_phone, from_user_id, profile_name, type, body,
  content, reply_to, contact_id, conversation_id, network_ms, created_ms, referral, context, group_id, opens_window,
  versions, deleted_ms, is_past)
select t.tenant_id, t.message_id, t.network_message_id, t.phone_number_id, coalesce(t.from_phone, t.from_user_id),
  t.from_phone, t.from_user_id, t.profile_name, t.type, t.body, t.content::jsonb, t.reply_to, t.contact_id,
  t.conversation_id, t.network_ms, t.created_ms, t.referral::jsonb, t.context::jsonb, t.group_id, t.opens_window,
  t.versions::jsonb, t.deleted_ms, t.is_past
from unnest(
  $1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[],
  $11::uuid[], $12::uuid[], $13::uuid[], $14::bigint[], $15::bigint[], $16::text[],
  $17::text[], $18::text[], $19::boolean[], $20::text[], $21::bigint[], $22::boolean[]
) as t (
  tenant_id, message_id, network_message_id, phone_number_id, from_phone, from_user_id, profile_name, type, body, content,
  reply_to, contact_id, conversation_id, network_ms, created_ms, referral, context, group_id, opens_window,
  versions, deleted_ms, is_past)`;

/** An inbound message with its place. */
export interface PlacedRow {
  readonly row: InboundRow;
  readonly contactId: ContactId;
  /** Null: it belongs to none. */
  readonly conversationId: ConversationId | null;
}

export async function insertInbound(tx: Transaction, placed: readonly PlacedRow[]): Promise<void> {
  if (placed.length === 0) return;
  const rows = placed.map((one) => one.row);
  await tx.run(INSERT_INBOUND, [
    ...columnsOf(rows, 'tenantId', 'messageId').map(plainArray),
    rows.map((row) => row.networkMessageId),
    tokenArray(rows.map((row) => row.phoneNumberId)),
    ...columnsOf(rows, 'phone', 'userId', 'profileName').map(sparse),
    rows.map((row) => row.type),
    sparse(rows.map((row) => row.body)),
    rows.map((row) => JSON.stringify(row.content)),
    sparsePlain(rows.map((row) => row.replyTo)),
    plainArray(placed.map((one) => one.contactId)),
    sparsePlain(placed.map((one) => one.conversationId)),
    ...columnsOf(rows, 'networkMs', 'nowMs').map(plainArray),
    sparse(rows.map((row) => row.referral && JSON.stringify(row.referral))),
    sparse(rows.map((row) => row.context && JSON.stringify(row.context))),
    sparse(rows.map((row) => row.groupId)),
    plainArray(rows.map((row) => row.opensWindow)),
    sparse(rows.map((row) => row.versions && JSON.stringify(row.versions))),
    sparsePlain(rows.map((row) => row.deletedMs)),
    plainArray(rows.map((row) => row.isPast === true)),
  ]);
}

const FIND_INBOUND = statement('inbound_find_by_network_id')`
select m.tenant_id, m.network_message_id, m.message_id
from unnest($1::uuid[], $2::text[]) as i (tenant_id, network_message_id)
join inbound_messages m on m.tenant_id = i.tenant_id and m.network_message_id = i.network_message_id`;

/** Our ids of customers' messages by the network's: for answers to what a customer wrote. Keys: nameKey. */
export async function findInboundByNetworkIds(
  tx: Transaction,
  names: readonly { readonly tenantId: TenantId; readonly networkMessageId: string }[],
): Promise<ReadonlyMap<string, MessageId>> {
  if (names.length === 0) return new Map();
  const { rows } = await tx.run<{ tenantId: TenantId; networkMessageId: string; messageId: MessageId }>(FIND_INBOUND, [
    plainArray(names.map((one) => one.tenantId)),
    names.map((one) => one.networkMessageId),
  ]);
  return new Map(rows.map((row) => [nameKey(row), row.messageId]));
}

const KNOWN_INBOUND = statement('inbound_known')`
select i.network_message_id, i.is_past from inbound_messages i
where i.tenant_id = $1 and i.network_message_id = any($2::text[])`;

/** Which of these network ids are stored already, each with whether only the history of the number reported it. */
export async function findKnownInbound(
  tx: Transaction,
  tenantId: TenantId,
  networkIds: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const { rows } = await tx.run<{ networkMessageId: string; isPast: boolean }>(KNOWN_INBOUND, [tenantId, networkIds]);
  return new Map(rows.map((row) => [row.networkMessageId, row.isPast]));
}

const FIND_DISPLAY_PHONES = statement('display_phones_find')`
select n.phone_number_id, n.display_phone
from unnest($1::uuid[], $2::text[]) as t (tenant_id, phone_number_id)
join phone_numbers n on n.tenant_id = t.tenant_id and n.phone_number_id = t.phone_number_id`;

/** The phone numbers of the sending numbers that these messages were written to, digits only, by their ids. */
export async function findDisplayPhones(
  tx: Transaction,
  rows: readonly Pick<InboundRow, 'tenantId' | 'phoneNumberId'>[],
): Promise<ReadonlyMap<string, string>> {
  const numbers = [...new Map(rows.map((row) => [row.phoneNumberId, row])).values()];
  const found = await tx.run<{ phoneNumberId: string; displayPhone: string }>(FIND_DISPLAY_PHONES, [
    plainArray(numbers.map((row) => row.tenantId)),
    numbers.map((row) => row.phoneNumberId),
  ]);
  return new Map(found.rows.map((row) => [row.phoneNumberId, row.displayPhone]));
}
