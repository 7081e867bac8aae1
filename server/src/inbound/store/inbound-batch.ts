import type { ContactId, ConversationId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { columnsOf, plainArray, sparse, sparsePlain, tokenArray } from '#database/arrays';
import { statement, type Transaction } from '#database/database';

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
  /** The advertisement that brought the customer, as the network tells it. */
  readonly referral: JsonObject | null;
  readonly networkMs: number;
  readonly nowMs: number;
}

const INSERT_INBOUND = statement('inbound_insert', { insertsOnly: true })`
insert into inbound_messages (
  tenant_id, message_id, network_message_id, phone_number_id, sender, from_phone, from_user_id, profile_name, type, body,
  content, reply_to, contact_id, conversation_id, network_ms, created_ms, referral)
select t.tenant_id, t.message_id, t.network_message_id, t.phone_number_id, coalesce(t.from_phone, t.from_user_id),
  t.from_phone, t.from_user_id, t.profile_name, t.type, t.body, t.content::jsonb, t.reply_to, t.contact_id,
  t.conversation_id, t.network_ms, t.created_ms, t.referral::jsonb
from unnest(
  $1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[],
  $11::uuid[], $12::uuid[], $13::uuid[], $14::bigint[], $15::bigint[], $16::text[]
) as t (
  tenant_id, message_id, network_message_id, phone_number_id, from_phone, from_user_id, profile_name, type, body, content,
  reply_to, contact_id, conversation_id, network_ms, created_ms, referral)`;

/** An inbound message with its place. */
export interface PlacedRow {
  readonly row: InboundRow;
  readonly contactId: ContactId;
  readonly conversationId: ConversationId;
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
    ...columnsOf(placed, 'contactId', 'conversationId').map(plainArray),
    ...columnsOf(rows, 'networkMs', 'nowMs').map(plainArray),
    sparse(rows.map((row) => row.referral && JSON.stringify(row.referral))),
  ]);
}

const KNOWN_INBOUND = statement('inbound_known')`
select i.network_message_id from inbound_messages i
where i.tenant_id = $1 and i.network_message_id = any($2::text[])`;

/** Which of these network ids are stored already. */
export async function findKnownInbound(
  tx: Transaction,
  tenantId: TenantId,
  networkIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await tx.run<{ networkMessageId: string }>(KNOWN_INBOUND, [tenantId, networkIds]);
  return new Set(rows.map((row) => row.networkMessageId));
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
