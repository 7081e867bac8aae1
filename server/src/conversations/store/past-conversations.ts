import type { Conversation } from '#conversations/domain/conversation';
import type { ConversationPair } from '#conversations/domain/conversation-inbound';
import { columnsOf, plainArray, sparsePlain } from '#database/arrays';
import { statement, type Transaction } from '#database/database';
import { pairKey } from './conversation-inbound.ts';
import { type ConversationRow, toConversation } from './conversation-rows.ts';

/** In the order in which messages of customers lock conversations. */
const LOCK_FIRST = statement('conversation_lock_first')`
select c.* from unnest($1::uuid[], $2::uuid[], $3::text[]) as p (tenant_id, contact_id, phone_number_id)
join conversations c on c.tenant_id = p.tenant_id and c.conversation_id = (
  select x.conversation_id from conversations x
  where x.tenant_id = p.tenant_id and x.contact_id = p.contact_id and x.phone_number_id = p.phone_number_id
  order by x.conversation_id limit 1)
order by c.tenant_id, c.contact_id, c.phone_number_id
for update of c`;

/** The first conversation of each pair, locked; a pair without any is absent. Keys: pairKey. */
export async function lockFirstConversations(
  tx: Transaction,
  pairs: readonly ConversationPair[],
): Promise<ReadonlyMap<string, Conversation>> {
  const { rows } = await tx.run<ConversationRow>(LOCK_FIRST, [
    ...columnsOf(pairs, 'tenantId', 'contactId').map(plainArray),
    pairs.map((pair) => pair.phoneNumberId),
  ]);
  return new Map(rows.map(toConversation).map((one) => [pairKey(one), one]));
}

const INSERT_PAST = statement('conversation_insert_past', { insertsOnly: true })`
insert into conversations (
  tenant_id, conversation_id, contact_id, phone_number_id, status, last_message_ms, last_inbound_ms, last_outbound_ms,
  window_expires_ms, last_message_id, last_message_inbound, last_message_type, last_message_preview, opened_ms, resolved_ms,
  created_ms, updated_ms)
select t.tenant_id, t.conversation_id, t.contact_id, t.phone_number_id, 'resolved', t.last_message_ms, t.last_inbound_ms,
  t.last_outbound_ms, t.window_expires_ms, t.last_message_id, t.last_message_inbound, t.last_message_type,
  t.last_message_preview, t.opened_ms, t.resolved_ms, t.created_ms, t.updated_ms
from unnest(
  $1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::uuid[], $8::boolean[], $9::text[],
  $10::text[], $11::bigint[], $12::uuid[], $13::text[], $14::bigint[], $15::bigint[], $16::bigint[]
) as t (
  tenant_id, conversation_id, last_message_ms, last_inbound_ms, last_outbound_ms, window_expires_ms, last_message_id,
  last_message_inbound, last_message_type, last_message_preview, updated_ms, contact_id, phone_number_id, opened_ms,
  resolved_ms, created_ms)`;

/** Stores conversations that hold what was before the API. */
export async function insertPastConversations(tx: Transaction, made: readonly Conversation[]): Promise<void> {
  if (made.length === 0) return;
  await tx.run(INSERT_PAST, [
    ...pastColumns(made),
    plainArray(made.map((one) => one.contactId)),
    made.map((one) => one.phoneNumberId),
    ...columnsOf(made, 'openedMs').map(plainArray),
    sparsePlain(made.map((one) => one.resolvedMs)),
    ...columnsOf(made, 'createdMs').map(plainArray),
  ]);
}

const SAVE_PAST = statement('conversation_save_past')`
update conversations c set
  last_message_ms = t.last_message_ms, last_inbound_ms = t.last_inbound_ms, last_outbound_ms = t.last_outbound_ms,
  window_expires_ms = t.window_expires_ms, last_message_id = t.last_message_id, last_message_inbound = t.last_message_inbound,
  last_message_type = t.last_message_type, last_message_preview = t.last_message_preview, updated_ms = t.updated_ms,
  resolved_ms = t.resolved_ms
from unnest(
  $1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::uuid[], $8::boolean[], $9::text[],
  $10::text[], $11::bigint[], $12::bigint[]
) as t (
  tenant_id, conversation_id, last_message_ms, last_inbound_ms, last_outbound_ms, window_expires_ms, last_message_id,
  last_message_inbound, last_message_type, last_message_preview, updated_ms, resolved_ms)
where c.tenant_id = t.tenant_id and c.conversation_id = t.conversation_id`;

/** Writes what messages from before the API change; the caller holds the locks. */
export async function savePast(tx: Transaction, changed: readonly Conversation[]): Promise<void> {
  if (changed.length === 0) return;
  await tx.run(SAVE_PAST, [...pastColumns(changed), sparsePlain(changed.map((one) => one.resolvedMs))]);
}

function pastColumns(all: readonly Conversation[]): readonly unknown[] {
  return [
    ...columnsOf(all, 'tenantId', 'conversationId', 'lastMessageMs').map(plainArray),
    ...columnsOf(all, 'lastInboundMs', 'lastOutboundMs', 'windowExpiresMs').map(sparsePlain),
    sparsePlain(all.map(({ lastMessage }) => lastMessage?.messageId ?? null)),
    plainArray(all.map(({ lastMessage }) => lastMessage?.inbound ?? null)),
    all.map(({ lastMessage }) => lastMessage?.type ?? null),
    all.map(({ lastMessage }) => lastMessage?.preview ?? null),
    plainArray(all.map((one) => one.updatedMs)),
  ];
}

const OPEN_PAST = statement('conversation_open_past')`
update conversations c set status = 'open', resolved_ms = null, opened_ms = t.opened_ms, version = t.version
from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::integer[]) as t (tenant_id, conversation_id, opened_ms, version)
where c.tenant_id = t.tenant_id and c.conversation_id = t.conversation_id`;

/** Opens conversations that held only the past; the caller holds the locks. */
export async function openPast(tx: Transaction, opened: readonly Conversation[]): Promise<void> {
  if (opened.length === 0) return;
  await tx.run(OPEN_PAST, columnsOf(opened, 'tenantId', 'conversationId', 'openedMs', 'version').map(plainArray));
}
