import type { Conversation } from '#conversations/domain/conversation';
import type { ConversationPair } from '#conversations/domain/conversation-inbound';
import type { ConversationId, TenantId } from '#core/ids';
import { plainArray, sparsePlain } from '#database/arrays';
import { statement, type Transaction } from '#database/database';
import { type ConversationRow, toConversation } from './conversation-rows.ts';

/**
 * Locked in the order of the key, so that batches that share customers wait for each other instead of deadlocking. The
 * one that is not resolved comes first, then the one that was resolved last.
 */
const LOCK_LATEST = statement('conversation_lock_latest')`
select c.* from unnest($1::uuid[], $2::uuid[], $3::text[]) as p (tenant_id, contact_id, phone_number_id)
join conversations c on c.tenant_id = p.tenant_id and c.conversation_id = (
  select x.conversation_id from conversations x
  where x.tenant_id = p.tenant_id and x.contact_id = p.contact_id and x.phone_number_id = p.phone_number_id
  order by x.status = 'resolved', x.resolved_ms desc limit 1)
order by c.tenant_id, c.contact_id, c.phone_number_id
for update of c`;

/** The conversation of each pair that may go on, locked; a pair without any is absent. */
export async function lockLatestConversations(
  tx: Transaction,
  pairs: readonly ConversationPair[],
): Promise<ReadonlyMap<string, Conversation>> {
  const { rows } = await tx.run<ConversationRow>(LOCK_LATEST, [
    plainArray(pairs.map((pair) => pair.tenantId)),
    plainArray(pairs.map((pair) => pair.contactId)),
    pairs.map((pair) => pair.phoneNumberId),
  ]);
  return new Map(rows.map(toConversation).map((one) => [pairKey(one), one]));
}

export function pairKey({ tenantId, contactId, phoneNumberId }: ConversationPair): string {
  return `${tenantId}/${contactId}/${phoneNumberId}`;
}

/** A pair whose open conversation someone else opens at this moment waits for that one, and is left out. */
const OPEN_CONVERSATIONS = statement('conversation_open_batch', { insertsOnly: true })`
insert into conversations (
  tenant_id, conversation_id, contact_id, phone_number_id, last_message_ms, opened_ms, created_ms, updated_ms)
select t.tenant_id, t.conversation_id, t.contact_id, t.phone_number_id, t.last_message_ms, $6::bigint, $6::bigint, $6::bigint
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::bigint[])
  as t (tenant_id, conversation_id, contact_id, phone_number_id, last_message_ms)
order by t.tenant_id, t.contact_id, t.phone_number_id
on conflict (tenant_id, contact_id, phone_number_id) where status <> 'resolved' do nothing
returning conversation_id`;

/** Opens conversations, empty as yet. @returns those that were opened: the others' pairs have one by now */
export async function openConversations(
  tx: Transaction,
  conversations: readonly Conversation[],
  nowMs: number,
): Promise<ReadonlySet<ConversationId>> {
  if (conversations.length === 0) return new Set();
  const { rows } = await tx.run<{ conversationId: ConversationId }>(OPEN_CONVERSATIONS, [
    plainArray(conversations.map((one) => one.tenantId)),
    plainArray(conversations.map((one) => one.conversationId)),
    plainArray(conversations.map((one) => one.contactId)),
    conversations.map((one) => one.phoneNumberId),
    plainArray(conversations.map((one) => one.lastMessageMs)),
    nowMs,
  ]);
  return new Set(rows.map((row) => row.conversationId));
}

const SAVE_ARRIVALS = statement('conversation_save_arrivals')`
update conversations c set
  status = t.status, snoozed_until_ms = t.snoozed_until_ms, resolved_ms = t.resolved_ms, reopened = t.reopened,
  opened_ms = t.opened_ms, version = t.version, unread_count = t.unread_count, waiting_since_ms = t.waiting_since_ms,
  last_message_ms = t.last_message_ms, last_inbound_ms = t.last_inbound_ms, window_expires_ms = t.window_expires_ms,
  referral_ms = t.referral_ms, last_message_id = t.last_message_id, last_message_inbound = t.last_message_inbound,
  last_message_type = t.last_message_type, last_message_preview = t.last_message_preview, updated_ms = t.updated_ms
from unnest(
  $1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::integer[], $7::bigint[], $8::integer[],
  $9::integer[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::uuid[], $16::boolean[],
  $17::text[], $18::text[], $19::bigint[]
) as t (
  tenant_id, conversation_id, status, snoozed_until_ms, resolved_ms, reopened, opened_ms, version, unread_count,
  waiting_since_ms, last_message_ms, last_inbound_ms, window_expires_ms, referral_ms, last_message_id, last_message_inbound,
  last_message_type, last_message_preview, updated_ms)
where c.tenant_id = t.tenant_id and c.conversation_id = t.conversation_id`;

/** Writes what messages of customers change; the caller holds the locks. */
export async function saveArrivals(tx: Transaction, all: readonly Conversation[]): Promise<void> {
  if (all.length === 0) return;
  await tx.run(SAVE_ARRIVALS, [
    plainArray(all.map((one) => one.tenantId)),
    plainArray(all.map((one) => one.conversationId)),
    plainArray(all.map((one) => one.status)),
    sparsePlain(all.map((one) => one.snoozedUntilMs)),
    sparsePlain(all.map((one) => one.resolvedMs)),
    plainArray(all.map((one) => one.reopened)),
    plainArray(all.map((one) => one.openedMs)),
    plainArray(all.map((one) => one.version)),
    plainArray(all.map((one) => one.unreadCount)),
    plainArray(all.map((one) => one.waitingSinceMs)),
    plainArray(all.map((one) => one.lastMessageMs)),
    plainArray(all.map((one) => one.lastInboundMs)),
    plainArray(all.map((one) => one.windowExpiresMs)),
    sparsePlain(all.map((one) => one.referralMs)),
    plainArray(all.map((one) => one.lastMessage?.messageId ?? null)),
    plainArray(all.map((one) => one.lastMessage?.inbound ?? null)),
    all.map((one) => one.lastMessage?.type ?? null),
    all.map((one) => one.lastMessage?.preview ?? null),
    plainArray(all.map((one) => one.updatedMs)),
  ]);
}

/** Tenants are taken in order: transactions that open conversations of the same ones wait for each other. */
const TAKE_NUMBERS = statement('conversation_take_numbers', { insertsOnly: true })`
insert into conversation_numbers (tenant_id, last_number)
select tenant_id, amount from unnest($1::uuid[], $2::bigint[]) as t (tenant_id, amount) order by tenant_id
on conflict (tenant_id) do update set last_number = conversation_numbers.last_number + excluded.last_number
returning tenant_id, last_number`;

const SET_NUMBERS = statement('conversation_set_numbers')`
update conversations c set number = t.number from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as t (tenant_id, conversation_id, number)
where c.tenant_id = t.tenant_id and c.conversation_id = t.conversation_id`;

/**
 * Gives new conversations the next numbers of their tenants. After this others that open conversations of these tenants
 * wait, so it comes late in a transaction, and nothing that may wait follows but counters.
 */
export async function numberConversations(
  tx: Transaction,
  opened: readonly Conversation[],
): Promise<readonly Conversation[]> {
  if (opened.length === 0) return [];
  const amounts = new Map<TenantId, number>();
  for (const { tenantId } of opened) amounts.set(tenantId, (amounts.get(tenantId) ?? 0) + 1);
  const { rows } = await tx.run<{ tenantId: TenantId; lastNumber: number }>(TAKE_NUMBERS, [
    plainArray([...amounts.keys()]),
    plainArray([...amounts.values()]),
  ]);
  const next = new Map(rows.map((row) => [row.tenantId, row.lastNumber - (amounts.get(row.tenantId) ?? 0)]));
  const numbered = opened.map((one) => {
    const number = (next.get(one.tenantId) ?? 0) + 1;
    next.set(one.tenantId, number);
    return { ...one, number };
  });
  await tx.run(SET_NUMBERS, [
    plainArray(numbered.map((one) => one.tenantId)),
    plainArray(numbered.map((one) => one.conversationId)),
    plainArray(numbered.map((one) => one.number)),
  ]);
  return numbered;
}
