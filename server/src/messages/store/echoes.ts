import { authorKindNumber } from '#core/caller/author';
import type { ContactId, ConversationId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { columnsOf, plainArray, sparse, sparsePlain, tokenArray } from '#database/arrays';
import { statement, type Transaction } from '#database/database';
import type { MessageContent } from '#messages/domain/content';
import { priorityRank } from '#messages/domain/message';
import type { MessageVersion } from '#messages/domain/message-change';

/** A message that the business wrote on its phone, with its place. */
export interface EchoRow {
  readonly tenantId: TenantId;
  readonly messageId: MessageId;
  readonly networkMessageId: string;
  readonly phoneNumberId: PhoneNumberId;
  /** Digits, or the user id of a customer who shows no number. */
  readonly to: string;
  readonly type: MessageContent['type'];
  /** As it is stored. */
  readonly content: JsonObject;
  readonly versions: readonly MessageVersion[] | null;
  readonly deletedMs: number | null;
  readonly replyTo: MessageId | null;
  readonly contactId: ContactId;
  readonly conversationId: ConversationId;
  readonly networkMs: number;
  readonly nowMs: number;
}

/** The network has them already: they never were in the queue, expire at once, and count as nobody's usage. */
const INSERT_ECHOES = statement('echoes_insert', { insertsOnly: true })`
insert into outbound_messages (
  tenant_id, message_id, type, to_phone, phone_number_id, content, reply_to, priority, expires_ms, created_ms, updated_ms,
  status, network_message_id, sent_ms, sent_learned_ms, contact_id, conversation_id, author_kind, versions,
  deleted_ms)
select t.tenant_id, t.message_id, t.type, t.to_phone, t.phone_number_id, t.content::jsonb, t.reply_to,
  ${priorityRank.normal}, t.now_ms, t.now_ms, t.now_ms, 'sent', t.network_message_id, t.network_ms, t.now_ms, t.contact_id,
  t.conversation_id, ${authorKindNumber('phone')}, t.versions::jsonb, t.deleted_ms
from unnest(
  $1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::text[], $9::bigint[],
  $10::bigint[], $11::uuid[], $12::uuid[], $13::text[], $14::bigint[]
) as t (
  tenant_id, message_id, type, to_phone, phone_number_id, content, reply_to, network_message_id, network_ms, now_ms,
  contact_id, conversation_id, versions, deleted_ms)`;

/** Stores messages that nobody has stored: the caller has locked their contacts and looked. */
export async function insertEchoes(tx: Transaction, rows: readonly EchoRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(INSERT_ECHOES, [
    ...columnsOf(rows, 'tenantId', 'messageId').map(plainArray),
    rows.map((row) => row.type),
    tokenArray(rows.map((row) => row.to)),
    tokenArray(rows.map((row) => row.phoneNumberId)),
    rows.map((row) => JSON.stringify(row.content)),
    sparsePlain(rows.map((row) => row.replyTo)),
    tokenArray(rows.map((row) => row.networkMessageId)),
    ...columnsOf(rows, 'networkMs', 'nowMs').map(plainArray),
    ...columnsOf(rows, 'contactId', 'conversationId').map(plainArray),
    sparse(rows.map((row) => row.versions && JSON.stringify(row.versions))),
    sparsePlain(rows.map((row) => row.deletedMs)),
  ]);
}

const TAKE_PARKED = statement('take_parked_statuses')`
delete from parked_statuses p
using unnest($1::uuid[], $2::text[]) as t (tenant_id, network_message_id)
where p.tenant_id = t.tenant_id and p.network_message_id = t.network_message_id
returning p.tenant_id, p.network_message_id, p.item`;

/** Takes out the statuses that came before these messages, however long ago. */
export async function takeParkedStatuses<Item>(
  tx: Transaction,
  messages: readonly Pick<EchoRow, 'tenantId' | 'networkMessageId'>[],
): Promise<readonly { readonly tenantId: TenantId; readonly networkMessageId: string; readonly item: Item }[]> {
  const [tenantIds = [], networkIds = []] = columnsOf(messages, 'tenantId', 'networkMessageId');
  type Row = { readonly tenantId: TenantId; readonly networkMessageId: string; readonly item: Item };
  return (await tx.run<Row>(TAKE_PARKED, [plainArray(tenantIds), networkIds])).rows;
}
