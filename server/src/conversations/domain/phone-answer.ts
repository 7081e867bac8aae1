import type { MessageId } from '#core/ids';
import { type Conversation, freeEntryOnAnswer } from './conversation.ts';

/** A message that the business wrote on its phone, as its conversation sees it. */
export interface AnswerOnPhone {
  readonly messageId: MessageId;
  readonly type: string;
  /** At most PREVIEW_LENGTH characters; null for a message without text. */
  readonly preview: string | null;
  /** When the network says that it was written. */
  readonly networkMs: number;
}

/** What the customer wrote that the answer does not answer, because it was written later. */
export interface Unanswered {
  readonly count: number;
  /** When the earliest of it was written; null: nothing. */
  readonly oldestMs: number | null;
}

/** The network's times are whole seconds: within one, what arrives later is shown as the later one. */
const NETWORK_TICK_MS = 1_000;

export const NOTHING_UNANSWERED: Unanswered = { count: 0, oldestMs: null };

/** Whether all that the customer wrote was written before the answer, as nearly always. */
export function answersAll({ lastInboundMs }: Conversation, atMs: number): boolean {
  return lastInboundMs === null || lastInboundMs < atMs;
}

/**
 * The conversation once the answer is counted: as after an agent's reply, but for what the customer wrote later. In whichever
 * order answers and messages of the customer come in, it ends the same.
 * @param atMs when it was written; a clock that is ahead of ours counts as now
 */
export function answerOnPhone(
  before: Conversation,
  { messageId, type, preview }: AnswerOnPhone,
  { atMs, nowMs, unanswered }: { readonly atMs: number; readonly nowMs: number; readonly unanswered: Unanswered },
): Conversation {
  const isNewest = before.lastMessage === null || atMs + NETWORK_TICK_MS > before.lastMessageMs;
  return {
    ...before,
    unreadCount: Math.min(before.unreadCount, unanswered.count),
    waitingSinceMs: stillWaiting(before, unanswered),
    firstResponseMs: Math.min(before.firstResponseMs ?? atMs, atMs),
    phoneAnsweredMs: Math.max(before.phoneAnsweredMs ?? atMs, atMs),
    freeEntryUntilMs: freeEntryOnAnswer(before, atMs),
    lastMessage: isNewest ? { messageId, inbound: false, type, preview } : before.lastMessage,
    lastMessageMs: Math.max(before.lastMessageMs, atMs),
    lastOutboundMs: Math.max(before.lastOutboundMs ?? atMs, atMs),
    updatedMs: Math.max(before.updatedMs, nowMs),
  };
}

/** An answer never starts a wait: a customer who was answered, or whose conversation was ended, still does not wait. */
function stillWaiting({ waitingSinceMs }: Conversation, { oldestMs }: Unanswered): number | null {
  if (waitingSinceMs === null || oldestMs === null) return null;
  return Math.max(waitingSinceMs, oldestMs);
}
