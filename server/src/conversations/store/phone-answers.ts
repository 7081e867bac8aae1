import type { Conversation } from '#conversations/domain/conversation';
import { NOTHING_UNANSWERED, type Unanswered } from '#conversations/domain/phone-answer';
import { statement, type Transaction } from '#database/database';

/** Messages of the customer that are looked at: unread ones beyond that are a flood, of which the number does not matter. */
const MAX_LOOKED_AT = 1_000;

const COUNT_UNANSWERED = statement('conversation_count_unanswered')`
select count(*)::int as count, min(m.network_ms) as oldest_ms from (
  select i.network_ms from inbound_messages i
  where i.tenant_id = $1 and i.conversation_id = $2 and i.opens_window and not i.is_past
  order by i.message_id desc limit ${MAX_LOOKED_AT}
) m
where m.network_ms >= $3`;

/** What the customer wrote in the conversation from a moment on. */
export async function findUnanswered(
  tx: Transaction,
  { tenantId, conversationId }: Pick<Conversation, 'tenantId' | 'conversationId'>,
  sinceMs: number,
): Promise<Unanswered> {
  const { rows } = await tx.run<Unanswered>(COUNT_UNANSWERED, [tenantId, conversationId, sinceMs]);
  return rows[0] ?? NOTHING_UNANSWERED;
}

const SAVE_PHONE_ANSWER = statement('conversation_save_phone_answer')`
update conversations set
  unread_count = $3, waiting_since_ms = $4, first_response_ms = $5, phone_answered_ms = $6, free_entry_until_ms = $7,
  last_message_ms = $8, last_outbound_ms = $9, last_message_id = $10, last_message_inbound = $11, last_message_type = $12,
  last_message_preview = $13, updated_ms = $14, last_inbound_ms = $15, window_expires_ms = $16, referral_ms = $17
where tenant_id = $1 and conversation_id = $2`;

/** Writes what messages from the phone change; the caller holds the lock. */
export async function savePhoneAnswer(tx: Transaction, one: Conversation): Promise<void> {
  await tx.run(SAVE_PHONE_ANSWER, [
    one.tenantId,
    one.conversationId,
    one.unreadCount,
    one.waitingSinceMs,
    one.firstResponseMs,
    one.phoneAnsweredMs,
    one.freeEntryUntilMs,
    one.lastMessageMs,
    one.lastOutboundMs,
    one.lastMessage?.messageId ?? null,
    one.lastMessage?.inbound ?? null,
    one.lastMessage?.type ?? null,
    one.lastMessage?.preview ?? null,
    one.updatedMs,
    one.lastInboundMs,
    one.windowExpiresMs,
    one.referralMs,
  ]);
}
