import type { Actor } from '#core/caller/actor';
import { isoTime, isoTimeOrNull } from '#core/iso-time';
import type { JsonObject, JsonValue } from '#core/json';
import type { EventDraft, EventType } from '#events/domain/event';
import { type Conversation, changedFields, type RecordedField, windowAt } from './conversation.ts';
import type { ConversationAnswer, Timing } from './conversation-timing.ts';

/** What may be sent while the window is open; outside it the network takes templates alone. */
export const OPEN_WINDOW_TYPES: readonly string[] = [
  'text',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'interactive',
  'reaction',
  'template',
];
const CLOSED_WINDOW_TYPES: readonly string[] = ['template'];

/** A conversation as the API and its events show it. @param nowMs the moment for which its window is shown */
export function describeConversation(one: Conversation, nowMs: number): JsonObject {
  return {
    id: one.conversationId,
    number: one.number,
    contact_id: one.contactId,
    phone_number_id: one.phoneNumberId,
    status: one.status,
    assignee_id: one.assigneeId,
    team_id: one.teamId,
    priority: one.priority,
    tags: [...one.tags],
    handled_by: one.handledBy,
    unread_count: one.unreadCount,
    waiting_since: isoTimeOrNull(one.waitingSinceMs),
    snoozed_until: isoTimeOrNull(one.snoozedUntilMs),
    window: describeWindow(one, nowMs),
    lease: describeLease(one, nowMs),
    last_message: describeLastMessage(one),
    first_response_at: isoTimeOrNull(one.firstResponseMs),
    last_inbound_at: isoTimeOrNull(one.lastInboundMs),
    last_outbound_at: isoTimeOrNull(one.lastOutboundMs),
    // One that holds only what was before the API was never opened.
    opened_at: isoTime(one.openedMs || one.createdMs),
    resolved_at: isoTimeOrNull(one.resolvedMs),
    reopened_count: one.reopened,
    version: one.version,
    created_at: isoTime(one.createdMs),
    updated_at: isoTime(one.updatedMs),
  };
}

function describeWindow(one: Conversation, nowMs: number): JsonObject {
  const { open, expiresMs, freeUntilMs } = windowAt(one, nowMs);
  return {
    state: open ? 'open' : 'closed',
    expires_at: isoTimeOrNull(expiresMs),
    free_until: isoTimeOrNull(freeUntilMs),
    allowed: [...(open ? OPEN_WINDOW_TYPES : CLOSED_WINDOW_TYPES)],
  };
}

function describeLease({ leaseAgentId, leaseUntilMs }: Conversation, nowMs: number): JsonValue {
  if (leaseUntilMs === null || leaseUntilMs <= nowMs) return null;
  return { agent_id: leaseAgentId, until: isoTime(leaseUntilMs) };
}

function describeLastMessage({ lastMessage, lastMessageMs }: Conversation): JsonValue {
  if (lastMessage === null) return null;
  return {
    id: lastMessage.messageId,
    direction: lastMessage.inbound ? 'inbound' : 'outbound',
    type: lastMessage.type,
    preview: lastMessage.preview,
    at: isoTime(lastMessageMs),
  };
}

/** How the API calls and spells what a recorded change touches. */
const SPELLINGS: Record<RecordedField, { readonly name: string; readonly spell: (one: Conversation) => JsonValue }> = {
  status: { name: 'status', spell: (one) => one.status },
  assigneeId: { name: 'assignee_id', spell: (one) => one.assigneeId },
  teamId: { name: 'team_id', spell: (one) => one.teamId },
  priority: { name: 'priority', spell: (one) => one.priority },
  tags: { name: 'tags', spell: (one) => [...one.tags] },
  handledBy: { name: 'handled_by', spell: (one) => one.handledBy },
  unreadCount: { name: 'unread_count', spell: (one) => one.unreadCount },
  snoozedUntilMs: { name: 'snoozed_until', spell: (one) => isoTimeOrNull(one.snoozedUntilMs) },
};

/** `{field: [old, new]}` of what differs, in the names of the API. */
export function describeChanges(before: Conversation, after: Conversation): JsonObject {
  return Object.fromEntries(
    changedFields(before, after).map((field) => {
      const { name, spell } = SPELLINGS[field];
      return [name, [spell(before), spell(after)]];
    }),
  );
}

const SYSTEM: Actor = { kind: 'system', id: null };

/** Why an event of a conversation is emitted. */
export interface ConversationCause {
  readonly actor: Actor;
  readonly cause: string;
  readonly nowMs: number;
}

/** The event of a new conversation. */
export function openedEvent(one: Conversation, cause: ConversationCause): EventDraft {
  return draft('conversation.opened', one, cause);
}

/** The event of a window that is about to close. */
export function windowClosingEvent(one: Conversation, nowMs: number): EventDraft {
  return draft('conversation.window_closing', one, { actor: SYSTEM, cause: 'window_closing', nowMs });
}

/**
 * The events of a recorded change: one for the status, one for the assignment, or one that says that it was updated.
 * @param resolution how long it was open, of one that is resolved
 */
export function changeEvents(
  before: Conversation,
  after: Conversation,
  cause: ConversationCause & { readonly resolution?: Timing | null },
): readonly EventDraft[] {
  const types: EventType[] = [];
  const named = statusEvent(before, after);
  if (named !== null) types.push(named);
  if (before.assigneeId !== after.assigneeId || before.teamId !== after.teamId) types.push('conversation.assigned');
  if (types.length === 0) types.push('conversation.updated');
  const changes = describeChanges(before, after);
  const timing = { timing: describeTiming(cause.resolution ?? null) };
  return types.map((type) => draft(type, after, cause, changes, type === 'conversation.resolved' ? timing : {}));
}

/** The event of a person's answer, with what else it changed. */
export function repliedEvent(
  before: Conversation,
  one: Conversation,
  answer: ConversationAnswer,
  cause: ConversationCause,
): EventDraft {
  const reply = { message_id: answer.messageId, is_first: answer.isFirst };
  return draft('conversation.replied', one, cause, describeChanges(before, one), {
    reply,
    timing: describeTiming(answer.timing),
  });
}

function describeTiming(timing: Timing | null): JsonValue {
  if (timing === null) return null;
  return { since: isoTime(timing.sinceMs), elapsed_ms: timing.elapsedMs, business_ms: timing.businessMs };
}

function statusEvent(before: Conversation, after: Conversation): EventType | null {
  if (before.status === after.status) return null;
  if (after.status === 'resolved') return 'conversation.resolved';
  if (after.status === 'snoozed') return 'conversation.snoozed';
  return before.status === 'resolved' ? 'conversation.reopened' : null;
}

function draft(
  type: EventType,
  one: Conversation,
  { actor, cause, nowMs }: ConversationCause,
  changes: JsonObject = {},
  more: JsonObject = {},
): EventDraft {
  const by = { kind: actor.kind, id: actor.id };
  const data: JsonObject = { ...describeConversation(one, nowMs), changes, actor: by, cause, ...more };
  return { tenantId: one.tenantId, type, data };
}

/** A private note as the API and its event show it. */
export function describeNote(note: {
  readonly noteId: string;
  readonly conversationId: string;
  readonly body: string;
  readonly mentions: readonly string[];
  readonly author: Actor;
  readonly createdMs: number;
}): JsonObject {
  return {
    id: note.noteId,
    conversation_id: note.conversationId,
    type: 'note',
    body: note.body,
    mentions: [...note.mentions],
    author: { kind: note.author.kind, id: note.author.id },
    created_at: isoTime(note.createdMs),
  };
}
