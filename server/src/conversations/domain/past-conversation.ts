import type { ConversationId } from '#core/ids';
import { type Conversation, type LastMessage, WINDOW_MS } from './conversation.ts';
import { type ConversationPair, isOfPast, NEVER_OPENED, startConversation } from './conversation-inbound.ts';

/** What was written before the API, as a conversation sees it. */
export interface PastOfPair {
  readonly newest: LastMessage;
  readonly newestMs: number;
  /** When the customer last said something that opens the window; null: never. */
  readonly inboundMs: number | null;
  /** When the business last wrote; null: never. */
  readonly outboundMs: number | null;
}

/** A conversation that holds what was before the API. */
export function beginPast(
  { tenantId, contactId, phoneNumberId, ...past }: ConversationPair & PastOfPair,
  conversationId: ConversationId,
  nowMs: number,
): Conversation {
  const fresh = startConversation({ tenantId, contactId, phoneNumberId }, conversationId, null, nowMs);
  const empty: Conversation = { ...fresh, status: 'resolved', resolvedMs: 0, openedMs: NEVER_OPENED, lastMessageMs: 0 };
  return addPast(empty, past, nowMs);
}

/**
 * The conversation with messages from before the API: nobody waits for an answer to them, and the window is the one that the customer's
 * own clock gives. Whatever came after the past stays the last message. The same in any order.
 */
export function addPast(before: Conversation, past: PastOfPair, nowMs: number): Conversation {
  const newestMs = Math.min(past.newestMs, nowMs);
  const inboundMs = past.inboundMs === null ? null : Math.min(past.inboundMs, nowMs);
  const after: Conversation = {
    ...before,
    ...(isOfPast(before) ? showPast(before, past.newest, newestMs) : {}),
    lastInboundMs: latest(before.lastInboundMs, inboundMs),
    lastOutboundMs: latest(before.lastOutboundMs, past.outboundMs),
    windowExpiresMs: latest(before.windowExpiresMs, inboundMs === null ? null : inboundMs + WINDOW_MS),
  };
  const isSame = JSON.stringify(after) === JSON.stringify(before);
  return isSame ? before : { ...after, updatedMs: Math.max(before.updatedMs, nowMs) };
}

/** It ended with its last message, which is the last one of the thread too. */
function showPast(before: Conversation, newest: LastMessage, newestMs: number): Partial<Conversation> {
  const isNewer = before.lastMessage === null || newest.messageId > before.lastMessage.messageId;
  const lastMessageMs = Math.max(before.lastMessageMs, newestMs);
  return { ...(isNewer ? { lastMessage: newest } : {}), lastMessageMs, resolvedMs: lastMessageMs };
}

function latest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}
