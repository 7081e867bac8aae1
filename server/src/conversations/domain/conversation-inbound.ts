import type { ContactId, ConversationId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { type Conversation, previewOf, type ReopenRule, reopens, statusOnInbound, WINDOW_MS } from './conversation.ts';

/** A message of a customer, as its conversation sees it. */
export interface Arrival {
  readonly messageId: MessageId;
  readonly type: string;
  readonly body: string | null;
  /** When the network says that it was sent. */
  readonly networkMs: number;
  /** Whether the customer came from an advertisement. */
  readonly isReferred: boolean;
  /** Whether the customer said something; a notice of the network is only shown where it belongs. */
  readonly opensWindow: boolean;
  /** Whether it is unread and waits for an answer. A call that is answered, or may still be, does not. */
  readonly waits: boolean;
  /** Stands in lists for a message without text. */
  readonly summary: string | null;
}

/** Sender and recipient. */
export interface ConversationPair {
  readonly tenantId: TenantId;
  readonly contactId: ContactId;
  readonly phoneNumberId: PhoneNumberId;
}

/** A conversation that begins with these messages. */
export function beginConversation(
  pair: ConversationPair,
  conversationId: ConversationId,
  arrivals: readonly Arrival[],
  nowMs: number,
): Conversation {
  return addInbound(emptyConversation(pair, conversationId, nowMs), arrivals, nowMs);
}

function emptyConversation(pair: ConversationPair, conversationId: ConversationId, nowMs: number): Conversation {
  return {
    ...pair,
    conversationId,
    number: null,
    status: 'open',
    assigneeId: null,
    teamId: null,
    priority: 'normal',
    tags: [],
    handledBy: 'none',
    unreadCount: 0,
    waitingSinceMs: null,
    firstResponseMs: null,
    lastMessageMs: 0,
    lastInboundMs: null,
    lastOutboundMs: null,
    phoneAnsweredMs: null,
    windowExpiresMs: null,
    windowEmittedMs: null,
    referralMs: null,
    freeEntryUntilMs: null,
    snoozedUntilMs: null,
    leaseAgentId: null,
    leaseUntilMs: null,
    lastMessage: null,
    version: 1,
    openedMs: nowMs,
    resolvedMs: null,
    reopened: 0,
    createdMs: nowMs,
    updatedMs: nowMs,
  };
}

/**
 * A conversation that the business begins. The customer's window does not end with the conversation before.
 * @param latest of this customer with this number, resolved; null: there was none
 */
export function startConversation(
  pair: ConversationPair,
  conversationId: ConversationId,
  latest: Conversation | null,
  nowMs: number,
): Conversation {
  return {
    ...emptyConversation(pair, conversationId, nowMs),
    lastMessageMs: nowMs,
    lastInboundMs: latest?.lastInboundMs ?? null,
    windowExpiresMs: latest?.windowExpiresMs ?? null,
    referralMs: latest?.referralMs ?? null,
    freeEntryUntilMs: latest?.freeEntryUntilMs ?? null,
  };
}

/** `openedMs` of a conversation that holds nothing but what was before the API. */
export const NEVER_OPENED = 0;

/** Whether it holds nothing but what was before the API: the first message after that opens it, whatever the rule for resolved ones. */
export function isOfPast({ openedMs, resolvedMs }: Pick<Conversation, 'openedMs' | 'resolvedMs'>): boolean {
  return openedMs === NEVER_OPENED && resolvedMs !== null;
}

/** The same conversation once it is opened for the first time: what opens it is its last message, however old. */
export function openFirst(past: Conversation, nowMs: number): Conversation {
  const opened = { status: 'open', resolvedMs: null, openedMs: nowMs, version: past.version + 1 } as const;
  return { ...past, ...opened, lastMessage: null, lastMessageMs: 0 };
}

/** Whether a message of the customer belongs to this conversation, or begins a new one. */
export function continuesWith(one: Conversation, rule: ReopenRule, nowMs: number): boolean {
  return one.resolvedMs === null || isOfPast(one) || reopens(rule, one.resolvedMs, nowMs);
}

/**
 * The conversation once these messages are counted: unread, waiting, the window, and awake. Only a changed status is a
 * recorded change; messages leave the version alone.
 * @param arrivals in the order in which they were stored
 */
export function addInbound(before: Conversation, arrivals: readonly Arrival[], nowMs: number): Conversation {
  // A time in the future comes from a clock that is ahead of ours; it counts as now, so that no window lasts longer.
  const timeOf = (arrival: Arrival): number => Math.min(arrival.networkMs, nowMs);
  const times = arrivals.map(timeOf);
  const lastInboundMs = Math.max(before.lastInboundMs ?? 0, ...times);
  const referred = arrivals.filter((arrival) => arrival.isReferred).map(timeOf);
  const isOld = (arrival: Arrival): boolean => isAnsweredOnPhone(before, timeOf(arrival));
  const waiting = arrivals.filter((arrival) => arrival.waits && !isOld(arrival)).map(timeOf);
  return {
    ...wake(before, nowMs),
    unreadCount: before.unreadCount + waiting.length,
    waitingSinceMs: before.waitingSinceMs ?? (waiting.length === 0 ? null : Math.min(...waiting)),
    lastMessageMs: Math.max(before.lastMessageMs, ...times),
    lastInboundMs,
    windowExpiresMs: Math.max(before.windowExpiresMs ?? 0, lastInboundMs + WINDOW_MS),
    referralMs: referred.length === 0 ? before.referralMs : Math.max(before.referralMs ?? 0, ...referred),
    lastMessage:
      before.lastMessage !== null && arrivals.every(isOld)
        ? before.lastMessage
        : lastMessageOf(before, arrivals.at(-1)),
    updatedMs: Math.max(before.updatedMs, nowMs),
  };
}

/** What lists show. A call that ends after something else was said does not stand before it. */
function lastMessageOf({ lastMessage }: Conversation, newest: Arrival | undefined): Conversation['lastMessage'] {
  if (newest === undefined) return lastMessage;
  const { messageId, type, body, summary } = newest;
  if (type === 'call' && lastMessage !== null && lastMessage.messageId > messageId) return lastMessage;
  return { messageId, inbound: true, type, preview: previewOf(body ?? summary) };
}

/**
 * Whether the business wrote on its phone after the customer did: what it wrote may come in first. Of the same second, of which
 * nobody knows who was first, a customer waits.
 */
export function isAnsweredOnPhone(
  { phoneAnsweredMs }: Pick<Conversation, 'phoneAnsweredMs'>,
  networkMs: number,
): boolean {
  return phoneAnsweredMs !== null && networkMs < phoneAnsweredMs;
}

/** A customer's message ends a snooze and a wait, and opens again what was resolved. */
function wake(before: Conversation, nowMs: number): Conversation {
  if (isOfPast(before)) return openFirst(before, nowMs);
  const status = statusOnInbound(before);
  if (status === before.status) return before;
  const awake = { ...before, status, snoozedUntilMs: null, version: before.version + 1 };
  if (before.status !== 'resolved') return awake;
  return { ...awake, resolvedMs: null, reopened: before.reopened + 1, openedMs: nowMs };
}
