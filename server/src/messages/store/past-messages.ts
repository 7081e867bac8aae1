import { authorKindNumber } from '#core/caller/author';
import { deliveryErrors } from '#core/delivery-errors';
import type { ConversationId, MessageId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { columnsOf, plainArray, sparse, sparsePlain, tokenArray } from '#database/arrays';
import { statement, type Transaction } from '#database/database';
import { type DeliveryError, priorityRank } from '#messages/domain/message';
import type { PastStage } from '#messages/domain/past-message';
import type { EchoRow } from './echoes.ts';

/** A message that the business sent before the API, with its place. */
export interface PastSentRow extends Omit<EchoRow, 'nowMs'> {
  readonly stage: PastStage;
}

/** Why it failed is not known: the network hands over that alone. */
const FAILED: DeliveryError = {
  code: 'past_failure',
  message: deliveryErrors.past_failure,
  networkCode: null,
  retryable: false,
};

/** They are as old as the network says; of what became of them, only that is known. `sent_learned_ms` stays null: nobody waited for it. */
const INSERT_PAST_SENT = statement('past_sent_insert', { insertsOnly: true })`
insert into outbound_messages (
  tenant_id, message_id, type, to_phone, phone_number_id, content, reply_to, priority, expires_ms, created_ms, updated_ms,
  status, network_message_id, sent_ms, delivered_ms, read_ms, failed_ms, error, contact_id, conversation_id, author_kind,
  versions, deleted_ms, is_past)
select t.tenant_id, t.message_id, t.type, t.to_phone, t.phone_number_id, t.content::jsonb, t.reply_to,
  ${priorityRank.normal}, t.network_ms, t.network_ms, t.network_ms,
  case when t.stage = 'failed' then 'failed' else 'sent' end, t.network_message_id, t.network_ms,
  case when t.stage in ('delivered', 'read') then t.network_ms end, case when t.stage = 'read' then t.network_ms end,
  case when t.stage = 'failed' then t.network_ms end, case when t.stage = 'failed' then $15::jsonb end,
  t.contact_id, t.conversation_id, ${authorKindNumber('phone')}, t.versions::jsonb, t.deleted_ms, true
from unnest(
  $1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::text[], $9::bigint[],
  $10::uuid[], $11::uuid[], $12::text[], $13::bigint[], $14::text[]
) as t (
  tenant_id, message_id, type, to_phone, phone_number_id, content, reply_to, network_message_id, network_ms,
  contact_id, conversation_id, versions, deleted_ms, stage)`;

/** Stores messages of the business from before the API that nobody has stored: the caller has locked their contacts and looked. */
export async function insertPastSent(tx: Transaction, rows: readonly PastSentRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(INSERT_PAST_SENT, [
    ...columnsOf(rows, 'tenantId', 'messageId').map(plainArray),
    rows.map((row) => row.type),
    tokenArray(rows.map((row) => row.to)),
    tokenArray(rows.map((row) => row.phoneNumberId)),
    rows.map((row) => JSON.stringify(row.content)),
    sparsePlain(rows.map((row) => row.replyTo)),
    tokenArray(rows.map((row) => row.networkMessageId)),
    plainArray(rows.map((row) => row.networkMs)),
    ...columnsOf(rows, 'contactId', 'conversationId').map(plainArray),
    sparse(rows.map((row) => row.versions && JSON.stringify(row.versions))),
    sparsePlain(rows.map((row) => row.deletedMs)),
    rows.map((row) => row.stage),
    JSON.stringify(FAILED),
  ]);
}

/** A message of the business that is stored, by the network's id. */
export interface KnownSent {
  readonly networkMessageId: string;
  readonly messageId: MessageId;
  readonly conversationId: ConversationId | null;
  /** Whether nothing but the history reported it. */
  readonly isPast: boolean;
  /** Whether its file is still to come. */
  readonly isEmpty: boolean;
}

/** Looks through all that was sent to these people once, instead of once for each message. */
const FIND_SENT = statement('past_sent_find')`
select m.network_message_id, m.message_id, m.conversation_id, m.is_past,
  m.type = 'unsupported' and m.content ->> 'type' = 'media_placeholder' as is_empty
from outbound_messages m
where m.tenant_id = $1 and m.to_phone = any($2::text[]) and m.network_message_id = any($3::text[])`;

/** Which of these messages to these people are stored. */
export async function findSent(
  tx: Transaction,
  tenantId: TenantId,
  { recipients, networkIds }: { readonly recipients: readonly string[]; readonly networkIds: readonly string[] },
): Promise<readonly KnownSent[]> {
  if (networkIds.length === 0) return [];
  return (await tx.run<KnownSent>(FIND_SENT, [tenantId, recipients, networkIds])).rows;
}

/** What the network says of a stored message that it had not said. */
export interface SentFill {
  readonly tenantId: TenantId;
  readonly messageId: MessageId;
  readonly stage: PastStage;
  readonly networkMs: number;
  /** As it is stored; null: it says what it said. */
  readonly type: string | null;
  readonly content: JsonObject | null;
}

const FILL_SENT = statement('past_sent_fill')`
update outbound_messages m set
  delivered_ms = coalesce(m.delivered_ms, case when t.stage in ('delivered', 'read') then t.network_ms end),
  read_ms = coalesce(m.read_ms, case when t.stage = 'read' then t.network_ms end),
  type = coalesce(t.type, m.type), content = coalesce(t.content::jsonb, m.content)
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::text[], $6::text[])
  as t (tenant_id, message_id, stage, network_ms, type, content)
where m.tenant_id = t.tenant_id and m.message_id = t.message_id
  and (t.type is not null or (t.stage in ('delivered', 'read') and m.delivered_ms is null) or (t.stage = 'read' and m.read_ms is null))`;

/** Completes messages that are stored: what became of them where nothing is known, and files in the place of their marks. */
export async function fillSent(tx: Transaction, fills: readonly SentFill[]): Promise<void> {
  if (fills.length === 0) return;
  await tx.run(FILL_SENT, [
    ...columnsOf(fills, 'tenantId', 'messageId').map(plainArray),
    fills.map((one) => one.stage),
    plainArray(fills.map((one) => one.networkMs)),
    sparse(fills.map((one) => one.type)),
    sparse(fills.map((one) => one.content && JSON.stringify(one.content))),
  ]);
}

const FIND_PAST = statement('past_sent_among')`
select m.message_id from unnest($1::uuid[], $2::uuid[]) as t (tenant_id, message_id)
join outbound_messages m on m.tenant_id = t.tenant_id and m.message_id = t.message_id
where m.is_past`;

/** Which of these stored messages nothing but the history reported. */
export async function findPastSent(
  tx: Transaction,
  messages: readonly Pick<SentFill, 'tenantId' | 'messageId'>[],
): Promise<ReadonlySet<MessageId>> {
  if (messages.length === 0) return new Set();
  const keys = columnsOf(messages, 'tenantId', 'messageId').map(plainArray);
  return new Set((await tx.run<{ messageId: MessageId }>(FIND_PAST, keys)).rows.map((row) => row.messageId));
}

const TAKE_OVER = statement('past_sent_take_over')`
update outbound_messages m set is_past = false, sent_learned_ms = t.now_ms, updated_ms = t.now_ms,
  contact_id = t.contact_id, conversation_id = t.conversation_id,
  type = case when m.deleted_ms is null and m.versions is null then t.type else m.type end,
  content = case when m.deleted_ms is null and m.versions is null then t.content::jsonb else m.content end
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::bigint[])
  as t (tenant_id, message_id, contact_id, conversation_id, type, content, now_ms)
where m.tenant_id = t.tenant_id and m.message_id = t.message_id`;

/** Makes messages of the history what their echoes would have been: from now on they are as any other. */
export async function takeOverSent(tx: Transaction, rows: readonly EchoRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(TAKE_OVER, [
    ...columnsOf(rows, 'tenantId', 'messageId', 'contactId', 'conversationId').map(plainArray),
    rows.map((row) => row.type),
    rows.map((row) => JSON.stringify(row.content)),
    plainArray(rows.map((row) => row.nowMs)),
  ]);
}
