import type { Conversation } from '#conversations/domain/conversation';
import { type ConversationRow, toConversation } from '#conversations/store/conversation-rows';
import type { ContactId, ConversationId, TenantId } from '#core/ids';
import { phoneSpellings } from '#core/phone/phone-key';
import { queueState } from '#core/queue-state';
import { type SqlRunner, type Statement, statement, type Transaction } from '#database/database';
import { phoneKeySql } from '#database/phone-key-sql';
import type { Move } from './contact-merges.ts';

const IDS = statement('merge_conversation_ids')`
select conversation_id from conversations where tenant_id = $1 and contact_id = $2 order by conversation_id`;

export async function findConversationIds(
  db: SqlRunner,
  tenantId: TenantId,
  contactId: ContactId,
): Promise<readonly ConversationId[]> {
  const { rows } = await db.run<{ conversationId: ConversationId }>(IDS, [tenantId, contactId]);
  return rows.map((row) => row.conversationId);
}

/** Messages before conversations, as everyone locks them. */
const MESSAGE_MOVES: readonly Statement[] = [
  statement('merge_move_outbound')`
update outbound_messages set contact_id = $3
where tenant_id = $1 and contact_id = $2 and conversation_id = any($4::uuid[])`,
  statement('merge_move_inbound')`
update inbound_messages set contact_id = $3
where tenant_id = $1 and contact_id = $2 and conversation_id = any($4::uuid[])`,
];
/**
 * What was sent outside of any conversation belongs to whoever has the number or user id. So does what is on its way: its settlement looks
 * for the contact itself, and may have looked before the number changed hands. One that is under way is waited for here, and
 * one that comes later finds the contact given.
 */
const MOVE_LOOSE = statement('merge_move_loose')`
update outbound_messages m set contact_id = $3
where m.tenant_id = $1 and m.to_phone = any($4::text[]) and m.conversation_id is null
  and (m.contact_id = $2 or (m.contact_id is null and exists (
    select 1 from send_queue q where q.tenant_id = m.tenant_id and q.message_id = m.message_id and q.state <> ${queueState.ready})))`;

/** What came in outside of any conversation, as from a group, belongs to whoever has the identity that wrote it. */
const MOVE_LOOSE_INBOUND = statement('merge_move_loose_inbound')`
update inbound_messages set contact_id = $3
where tenant_id = $1 and contact_id = $2 and conversation_id is null and sender = any($4::text[])`;

/** Makes the messages of these conversations, and those to and from these numbers and user ids, another contact's. */
export async function moveMessages(
  tx: Transaction,
  { tenantId, from, to }: Move,
  what: {
    readonly conversations: readonly ConversationId[];
    readonly phoneKeys: readonly string[];
    readonly userIds: readonly string[];
  },
): Promise<void> {
  const identities: readonly string[] = [...what.phoneKeys.flatMap((key) => phoneSpellings(key)), ...what.userIds];
  await tx.run(MOVE_LOOSE, [tenantId, from, to, identities]);
  await tx.run(MOVE_LOOSE_INBOUND, [tenantId, from, to, identities]);
  for (const move of MESSAGE_MOVES) await tx.run(move, [tenantId, from, to, [...what.conversations]]);
}

const LOCK_ALL = statement('merge_lock_conversations')`
select * from conversations where tenant_id = $1 and contact_id = any($2::uuid[])
order by tenant_id, contact_id, phone_number_id, conversation_id for update`;

/** Every conversation of these contacts, locked: resolved ones too, so that none opens again meanwhile. */
export async function lockConversationsOf(
  tx: Transaction,
  tenantId: TenantId,
  contactIds: readonly ContactId[],
): Promise<readonly Conversation[]> {
  const { rows } = await tx.run<ConversationRow>(LOCK_ALL, [tenantId, [...contactIds]]);
  return rows.map(toConversation);
}

const MERGE_MOVE_CONVERSATIONS = statement('merge_move_conversations')`
update conversations set contact_id = $3
where tenant_id = $1 and contact_id = $2 and conversation_id = any($4::uuid[])`;

export async function moveConversations(
  tx: Transaction,
  { tenantId, from, to }: Move,
  conversations: readonly ConversationId[],
): Promise<void> {
  await tx.run(MERGE_MOVE_CONVERSATIONS, [tenantId, from, to, [...conversations]]);
}

const SINCE = statement('merge_conversations_since')`
select c.conversation_id from conversations c
cross join lateral (
  select i.from_phone, i.from_user_id from inbound_messages i
  where i.tenant_id = c.tenant_id and i.conversation_id = c.conversation_id
  order by i.message_id desc limit 1
) m
where c.tenant_id = $1 and c.contact_id = $2 and c.created_ms >= $3 and c.conversation_id <> all($4::uuid[])
  and ((m.from_phone is not null and ${phoneKeySql('m.from_phone')} = any($5::text[])) or m.from_user_id = any($6::text[]))
order by c.conversation_id`;

/** Conversations that were opened since, in which one of these identities wrote last. */
export async function findOpenedSince(
  db: SqlRunner,
  of: {
    readonly tenantId: TenantId;
    readonly contactId: ContactId;
    readonly sinceMs: number;
    /** Conversations that there were before. */
    readonly known: readonly ConversationId[];
    readonly phoneKeys: readonly string[];
    readonly userIds: readonly string[];
  },
): Promise<readonly ConversationId[]> {
  const { tenantId, contactId, sinceMs, known, phoneKeys, userIds } = of;
  const parameters = [tenantId, contactId, sinceMs, [...known], [...phoneKeys], [...userIds]];
  const { rows } = await db.run<{ conversationId: ConversationId }>(SINCE, parameters);
  return rows.map((row) => row.conversationId);
}

const LAST_INBOUND = statement('merge_last_inbound')`
update contacts set last_inbound_ms = greatest($3::bigint, (
  select max(last_inbound_ms) from conversations where tenant_id = $1 and contact_id = $2))
where tenant_id = $1 and contact_id = $2`;

/** When a contact last wrote, by its conversations, and by what was known of it before. */
export async function resetLastInbound(
  tx: Transaction,
  tenantId: TenantId,
  contactId: ContactId,
  atLeastMs: number | null,
): Promise<void> {
  await tx.run(LAST_INBOUND, [tenantId, contactId, atLeastMs]);
}
