import type { ReopenPolicy } from '#accounts/domain/reopen-policy';
import type { AgentId, ContactId, ConversationId, MessageId, PhoneNumberId, TeamId, TenantId } from '#core/ids';

export const conversationStatuses = ['open', 'pending', 'snoozed', 'resolved'] as const;
export type ConversationStatus = (typeof conversationStatuses)[number];

/** What may follow on what; drawn in docs/state-machines.md, which a test compares. */
export const conversationTransitions: Record<ConversationStatus, readonly ConversationStatus[]> = {
  open: ['pending', 'snoozed', 'resolved'],
  pending: ['open', 'snoozed', 'resolved'],
  snoozed: ['open', 'pending', 'resolved'],
  resolved: ['open'],
};

export const conversationPriorities = ['low', 'normal', 'high', 'urgent'] as const;
export type ConversationPriority = (typeof conversationPriorities)[number];

export const handlers = ['bot', 'agent', 'none'] as const;
export type HandledBy = (typeof handlers)[number];

/** What a number does when a customer writes whose conversation is resolved. */
export interface ReopenRule {
  readonly policy: ReopenPolicy;
  /** Counts with `new_after` alone. */
  readonly hours: number;
}

/** The newest message of a conversation, as a list shows it. */
export interface LastMessage {
  readonly messageId: MessageId;
  readonly inbound: boolean;
  readonly type: string;
  /** At most PREVIEW_LENGTH characters; null for a message without text. */
  readonly preview: string | null;
}

/** Times are milliseconds since 1970. The migrations say what each field means. */
export interface Conversation {
  readonly tenantId: TenantId;
  readonly conversationId: ConversationId;
  /** Null only inside the transaction that opens it. */
  readonly number: number | null;
  readonly contactId: ContactId;
  readonly phoneNumberId: PhoneNumberId;
  readonly status: ConversationStatus;
  readonly assigneeId: AgentId | null;
  readonly teamId: TeamId | null;
  readonly priority: ConversationPriority;
  readonly tags: readonly string[];
  readonly handledBy: HandledBy;
  readonly unreadCount: number;
  readonly waitingSinceMs: number | null;
  readonly firstResponseMs: number | null;
  readonly lastMessageMs: number;
  readonly lastInboundMs: number | null;
  readonly lastOutboundMs: number | null;
  /** When the business last wrote with the app on its phone, by the network's clock. */
  readonly phoneAnsweredMs: number | null;
  readonly windowExpiresMs: number | null;
  readonly windowEmittedMs: number | null;
  readonly referralMs: number | null;
  readonly freeEntryUntilMs: number | null;
  readonly snoozedUntilMs: number | null;
  readonly leaseAgentId: AgentId | null;
  readonly leaseUntilMs: number | null;
  readonly lastMessage: LastMessage | null;
  readonly version: number;
  readonly openedMs: number;
  readonly resolvedMs: number | null;
  readonly reopened: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export type ConversationKey = Pick<Conversation, 'tenantId' | 'conversationId'>;

/** What to change; what is left out stays as it is. */
export interface ConversationChange {
  readonly status?: ConversationStatus;
  /** Only together with, or in, the status snoozed. Null: until the customer writes. */
  readonly snoozedUntilMs?: number | null;
  readonly assigneeId?: AgentId | null;
  readonly teamId?: TeamId | null;
  readonly priority?: ConversationPriority;
  readonly addTags?: readonly string[];
  readonly removeTags?: readonly string[];
  readonly handledBy?: HandledBy;
  readonly read?: true;
  /** Only an undo sets these two: nobody else can make a conversation unread, or its customer wait again. */
  readonly unreadCount?: number;
  readonly waitingSinceMs?: number | null;
}

/** More are a mistake: a list shows them all. */
export const MAX_CONVERSATION_TAGS = 50;
export const MAX_TAG_LENGTH = 64;
export const PREVIEW_LENGTH = 120;

export type Changed =
  | { readonly ok: true; readonly after: Conversation }
  /** A sentence that says why the change is not possible now. */
  | { readonly ok: false; readonly reason: string };

/**
 * The conversation after a change; the same object when nothing changes.
 * @param nowMs when it is changed
 */
export function applyConversationChange(before: Conversation, change: ConversationChange, nowMs: number): Changed {
  const { status = before.status } = change;
  if (status !== before.status && !conversationTransitions[before.status].includes(status)) {
    return { ok: false, reason: `A conversation that is ${before.status} cannot become ${status}.` };
  }
  if (change.snoozedUntilMs !== undefined && change.snoozedUntilMs !== null && status !== 'snoozed') {
    return { ok: false, reason: `A conversation that is ${status} cannot have snoozed_until. Snooze it instead.` };
  }
  const tags = changeTags(before.tags, change);
  if (tags.length > MAX_CONVERSATION_TAGS)
    return { ok: false, reason: `A conversation can have at most ${MAX_CONVERSATION_TAGS} tags.` };
  const after: Conversation = {
    ...before,
    ...(status === before.status ? {} : enter(before, status, nowMs)),
    snoozedUntilMs: status === 'snoozed' ? snoozeEnd(before, change) : null,
    assigneeId: change.assigneeId === undefined ? before.assigneeId : change.assigneeId,
    teamId: change.teamId === undefined ? before.teamId : change.teamId,
    priority: change.priority ?? before.priority,
    tags,
    handledBy: change.handledBy ?? before.handledBy,
    unreadCount: change.read === true ? 0 : (change.unreadCount ?? before.unreadCount),
    ...(change.waitingSinceMs === undefined ? {} : { waitingSinceMs: change.waitingSinceMs }),
  };
  if (changedFields(before, after).length === 0) return { ok: true, after: before };
  return { ok: true, after: { ...after, version: before.version + 1, updatedMs: Math.max(before.updatedMs, nowMs) } };
}

/** The side effects of a new status. A resolved conversation waits for nobody. */
function enter(before: Conversation, status: ConversationStatus, nowMs: number): Partial<Conversation> {
  if (status === 'resolved') return { status, resolvedMs: nowMs, waitingSinceMs: null };
  if (before.status !== 'resolved') return { status };
  return { status, resolvedMs: null, reopened: before.reopened + 1, openedMs: nowMs };
}

/** A snooze without a time ends when the customer writes; an unchanged snooze keeps its time. */
function snoozeEnd(before: Conversation, change: ConversationChange): number | null {
  if (change.snoozedUntilMs !== undefined) return change.snoozedUntilMs;
  return before.status === 'snoozed' ? before.snoozedUntilMs : null;
}

/** Removed first, then added; each once, in the order in which they came. */
function changeTags(tags: readonly string[], { addTags = [], removeTags = [] }: ConversationChange): readonly string[] {
  const kept = tags.filter((tag) => !removeTags.includes(tag));
  return [...new Set([...kept, ...addTags])];
}

/** The fields that a recorded change may touch. */
const RECORDED = [
  'status',
  'assigneeId',
  'teamId',
  'priority',
  'tags',
  'handledBy',
  'unreadCount',
  'snoozedUntilMs',
] as const satisfies readonly (keyof Conversation)[];
export type RecordedField = (typeof RECORDED)[number];

/** Which recorded fields differ, in a fixed order. */
export function changedFields(before: Conversation, after: Conversation): readonly RecordedField[] {
  return RECORDED.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}

/** What a new message of the customer does to the status, by one rule for every status but resolved. */
export function statusOnInbound({ status, handledBy }: Pick<Conversation, 'status' | 'handledBy'>): ConversationStatus {
  // What a bot holds as pending stays with the bot.
  if (status === 'pending' && handledBy === 'bot') return 'pending';
  return 'open';
}

const HOUR_MS = 60 * 60 * 1000;

/** Whether a message of the customer opens the resolved conversation again, instead of a new one. */
export function reopens(rule: ReopenRule, resolvedMs: number, nowMs: number): boolean {
  if (rule.policy === 'new_after') return nowMs < resolvedMs + rule.hours * HOUR_MS;
  return rule.policy === 'reopen_last';
}

/** The customer service window: 24 hours from the customer's latest message. */
export const WINDOW_MS = 24 * HOUR_MS;
/** How soon a message that came from an advertisement must be answered, and how long messages are free then. */
const FREE_ENTRY_ANSWER_MS = 24 * HOUR_MS;
const FREE_ENTRY_MS = 72 * HOUR_MS;

/** What may be written to the customer at a moment. */
export interface CustomerWindow {
  /** Open: everything may be sent. Closed: templates alone. */
  readonly open: boolean;
  /** The first moment at which it is closed. Null: the customer never wrote. */
  readonly expiresMs: number | null;
  /** Until when the network charges nothing, because the customer came from an advertisement; null: it charges. */
  readonly freeUntilMs: number | null;
}

export function windowAt(
  { windowExpiresMs, freeEntryUntilMs }: Pick<Conversation, 'windowExpiresMs' | 'freeEntryUntilMs'>,
  nowMs: number,
): CustomerWindow {
  return {
    open: windowExpiresMs !== null && nowMs < windowExpiresMs,
    expiresMs: windowExpiresMs,
    freeUntilMs: freeEntryUntilMs !== null && nowMs < freeEntryUntilMs ? freeEntryUntilMs : null,
  };
}

/** How long before its end a closing window is announced: time enough to answer. */
export const WINDOW_CLOSING_MS = HOUR_MS;

/**
 * Whether the closing window has to be announced now: within an hour, not for resolved conversations, once per window.
 */
export function isWindowClosing(one: Conversation, nowMs: number): boolean {
  const { status, windowExpiresMs, windowEmittedMs } = one;
  if (status === 'resolved' || windowExpiresMs === null || windowEmittedMs === windowExpiresMs) return false;
  return nowMs < windowExpiresMs && windowExpiresMs <= nowMs + WINDOW_CLOSING_MS;
}

/** When a number resolves conversations in which nothing happens. */
export interface IdleRule {
  readonly hours: number;
  /** Whether also those whose customer waits for an answer. */
  readonly evenWaiting: boolean;
}

/** Whether nothing happened for as long as the rule says. A snooze has a separate end. */
export function isIdle(one: Conversation, rule: IdleRule, nowMs: number): boolean {
  if (one.status !== 'open' && one.status !== 'pending') return false;
  if (one.waitingSinceMs !== null && !rule.evenWaiting) return false;
  return Math.max(one.lastMessageMs, one.updatedMs) <= nowMs - rule.hours * HOUR_MS;
}

/**
 * Until when messages are free once an answer leaves: 72 hours from the first answer to a message from an
 * advertisement, if it comes within 24 hours. A window that is open is not prolonged.
 */
export function freeEntryOnAnswer(
  { referralMs, freeEntryUntilMs }: Pick<Conversation, 'referralMs' | 'freeEntryUntilMs'>,
  nowMs: number,
): number | null {
  if (referralMs === null || nowMs >= referralMs + FREE_ENTRY_ANSWER_MS) return freeEntryUntilMs;
  // The answer that opened it came after the message: this one was answered already.
  if (freeEntryUntilMs !== null && freeEntryUntilMs - FREE_ENTRY_MS >= referralMs) return freeEntryUntilMs;
  return nowMs + FREE_ENTRY_MS;
}

/** What a list shows of a text; cut between characters, never inside one. */
export function previewOf(text: string | null): string | null {
  if (text === null) return null;
  const characters = [...text.slice(0, 2 * PREVIEW_LENGTH)];
  return characters.length > PREVIEW_LENGTH
    ? `${characters.slice(0, PREVIEW_LENGTH - 1).join('')}…`
    : characters.join('');
}

/** Whether another agent writes an answer at this moment. */
export function isHeldByOther(
  { leaseAgentId, leaseUntilMs }: Pick<Conversation, 'leaseAgentId' | 'leaseUntilMs'>,
  agentId: string | null,
  nowMs: number,
): boolean {
  return leaseUntilMs !== null && nowMs < leaseUntilMs && leaseAgentId !== agentId;
}
