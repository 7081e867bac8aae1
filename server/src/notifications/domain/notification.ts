import type { Actor } from '#core/caller/actor';
import type { AgentId, TenantId } from '#core/ids';
import type { JsonObject, JsonValue } from '#core/json';
import type { EventType, StoredEvent } from '#events/domain/event';
import { callOf, isUnansweredCall } from '#messages/domain/call';
import type { NotificationKind } from '#users/domain/notification-preferences';

/** The events from which notifications follow. */
export const NOTIFYING_TYPES: readonly EventType[] = [
  'conversation.assigned',
  'note.created',
  'conversation.window_closing',
  'message.failed',
  'message.received',
  'call.ended',
];

/** What an event says that somebody should know. */
export interface Notice {
  readonly kind: NotificationKind;
  /** Null: whoever the conversation is assigned to. */
  readonly agentId: AgentId | null;
  readonly conversationId: string | null;
  readonly messageId: string | null;
  readonly noteId: string | null;
  /** Null: nobody in particular did it. */
  readonly actor: Actor | null;
  readonly sequence: number;
  readonly atMs: number;
}

/** A notification of an agent. */
export interface Notification extends Omit<Notice, 'agentId' | 'sequence' | 'atMs'> {
  readonly tenantId: TenantId;
  readonly notificationId: string;
  readonly agentId: AgentId;
  readonly createdMs: number;
  /** Null: it is unread. */
  readonly readMs: number | null;
}

/** The notices of an event. What agents do themselves notifies them of nothing. */
export function noticesOf({ type, data, sequence, recordedMs }: StoredEvent): readonly Notice[] {
  const usual = { conversationId: text(data.id), messageId: null, noteId: null, sequence, atMs: recordedMs };
  switch (type) {
    case 'conversation.assigned': {
      const to = assignedTo(data);
      const actor = actorIn(data.actor);
      return to === null || isAgent(actor, to) ? [] : [{ ...usual, kind: 'assigned', agentId: to, actor }];
    }
    case 'note.created': {
      const author = actorIn(data.author);
      const note = { ...usual, conversationId: text(data.conversation_id), noteId: text(data.id), actor: author };
      return texts(data.mentions)
        .filter((id) => !isAgent(author, id))
        .map((id) => ({ ...note, kind: 'mentioned', agentId: id as AgentId }));
    }
    case 'conversation.window_closing': {
      const agentId = text(data.assignee_id) as AgentId | null;
      const isOwed = agentId !== null && data.waiting_since !== null;
      return isOwed ? [{ ...usual, kind: 'window_closing', agentId, actor: null }] : [];
    }
    case 'message.failed': {
      const author = actorIn(data.author);
      if (author?.kind !== 'agent' || author.id === null) return [];
      const message = { conversationId: text(data.conversation_id), messageId: text(data.id), actor: null };
      return [{ ...usual, ...message, kind: 'message_failed', agentId: author.id as AgentId }];
    }
    case 'call.ended': {
      const call = callOf({ type: 'call', content: isObject(data.call) ? data.call : {} });
      return call !== null && isUnansweredCall(call) ? newMessage(data, usual) : [];
    }
    case 'message.received':
      return data.opens_window === false ? [] : newMessage(data, usual);
    default:
      return [];
  }
}

function newMessage(data: JsonObject, usual: Pick<Notice, 'noteId' | 'sequence' | 'atMs'>): readonly Notice[] {
  const conversationId = text(data.conversation_id);
  const message = { ...usual, conversationId, messageId: text(data.id), actor: null };
  return conversationId === null ? [] : [{ ...message, kind: 'new_message', agentId: null }];
}

/** Whom a change assigned the conversation to; null: nobody, or only its team changed. */
function assignedTo({ changes }: JsonObject): AgentId | null {
  const change = isObject(changes) ? changes.assignee_id : undefined;
  return Array.isArray(change) ? (text(change[1]) as AgentId | null) : null;
}

function isAgent(actor: Actor | null, agentId: string): boolean {
  return actor?.kind === 'agent' && actor.id === agentId;
}

function actorIn(value: JsonValue | undefined): Actor | null {
  if (!isObject(value)) return null;
  return { kind: value.kind as Actor['kind'], id: text(value.id) };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function texts(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}
