/** The one place where events change what is held. */
import type { Contact, ContactMerge, Note } from '@postrider/sdk';
import { applyArrival, applyChangedText } from './arrival.ts';
import { applyProgress, isProgress, type ProgressData } from './delivery.ts';
import type { Conversation, ConversationState, InboundItem, LiveEvent, NoteItem, ThreadItem } from './model.ts';
import { isOutbound } from './model.ts';
import { type LiveState, markStale, REMEMBERED_CONTACTS, type Thread, withEntry } from './state.ts';

/**
 * The state after one more event of the feed. An event that was applied before changes nothing, so that a stream may
 * repeat what it has sent.
 */
export function apply(state: LiveState, event: LiveEvent): LiveState {
  if (event.sequence <= state.head) return state;
  return { ...route(state, event), head: event.sequence };
}

function route(state: LiveState, event: LiveEvent): LiveState {
  const { type } = event;
  if (type === 'message.received') return applyReceived(state, event, event.data as InboundItem);
  if (type === 'message.edited' || type === 'message.deleted')
    return applyChanged(state, event, event.data as InboundItem);
  if (type.startsWith('call.')) return applyCall(state, event, event.data as InboundItem);
  if (type.startsWith('message.')) return applyMessage(state, event, event.data as ProgressData);
  if (type.startsWith('conversation.')) return applyConversation(state, event, event.data as ConversationState);
  if (type === 'note.created') return applyItem(state, event, event.data as NoteItem);
  if (type.startsWith('contact.')) return applyContact(state, event, event.data as ContactData);
  return state;
}

function applyConversation(state: LiveState, event: LiveEvent, data: ConversationState): LiveState {
  const held = state.conversations.get(data.id)?.value ?? null;
  const value = held !== null && isOlder(data, held) ? held : withContact(stateOf(data), held);
  const next = { ...state, conversations: withEntry(state.conversations, data.id, { value, touched: event.sequence }) };
  return value.contact === undefined ? markStale(next, 'conversations', data.id) : next;
}

/** Whether a read has already brought something newer than this event says. */
function isOlder(event: ConversationState, held: Conversation): boolean {
  return event.version < held.version || (event.version === held.version && event.updated_at < held.updated_at);
}

function withContact(value: Conversation, held: Conversation | null): Conversation {
  return held?.contact?.id === value.contact_id ? { ...value, contact: held.contact } : value;
}

/** The conversation without what belongs to the event alone. */
function stateOf(data: ConversationState): Conversation {
  const { changes, actor, cause, reply, timing, ...state } = data as ConversationState & Record<string, unknown>;
  return state as Conversation;
}

function applyReceived(state: LiveState, event: LiveEvent, item: InboundItem): LiveState {
  const id = item.conversation_id;
  if (id === null) return state;
  const next = applyItem(state, event, { ...item, conversation_id: id });
  const held = next.conversations.get(id)?.value ?? null;
  const { value, isCertain } = held === null ? { value: null, isCertain: false } : applyArrival(held, item);
  const entered = { ...next, conversations: withEntry(next.conversations, id, { value, touched: event.sequence }) };
  return isCertain ? entered : markStale(entered, 'conversations', id);
}

/** A customer edited or deleted a message. It stands where it stood; one that is not held is read when it is scrolled to. */
function applyChanged(state: LiveState, event: LiveEvent, item: InboundItem): LiveState {
  const id = item.conversation_id;
  if (id === null) return state;
  const next = applyItem(state, event, { ...item, conversation_id: id });
  const held = next.conversations.get(id)?.value ?? null;
  const value = held && applyChangedText(held, item);
  const entered = { ...next, conversations: withEntry(next.conversations, id, { value, touched: event.sequence }) };
  return value === null ? markStale(entered, 'conversations', id) : entered;
}

/** A call began, changed or ended. What it counts for in its conversation depends on more than it says: that is read. */
function applyCall(state: LiveState, event: LiveEvent, item: InboundItem): LiveState {
  const id = item.conversation_id;
  if (id === null) return state;
  const next = applyItem(state, event, { ...item, conversation_id: id });
  const value = next.conversations.get(id)?.value ?? null;
  const conversations = withEntry(next.conversations, id, { value, touched: event.sequence });
  return markStale({ ...next, conversations }, 'conversations', id);
}

function applyItem(
  state: LiveState,
  { sequence }: LiveEvent,
  item: ThreadItem & Pick<Note, 'conversation_id'>,
): LiveState {
  const thread = state.threads.get(item.conversation_id);
  if (thread === undefined) return state;
  // An event may be older than what was read: before the span that is held, it would stand beside a gap.
  const isHeld = !thread.isLoaded || thread.older === null || item.id > oldestOf(thread);
  const items = isHeld ? withEntry(thread.items, item.id, { value: item, touched: sequence }) : thread.items;
  return { ...state, threads: withEntry(state.threads, item.conversation_id, { ...thread, items, touched: sequence }) };
}

function oldestOf({ items }: Thread): string {
  let oldest = '';
  for (const id of items.keys()) if (oldest === '' || id < oldest) oldest = id;
  return oldest;
}

/** What happened to an outbound message. Its events do not carry what it says: that is read when it is not held. */
function applyMessage(state: LiveState, event: LiveEvent, data: ProgressData): LiveState {
  const id = data.conversation_id;
  if (id === null) return state;
  const next = applyToThread(state, event, id, data);
  // A message that joins a conversation becomes its newest; an answer of a person says so with an event of its own.
  const isNew = event.type === 'message.queued' || event.type === 'message.sent';
  const value = next.conversations.get(id)?.value ?? null;
  if (!isNew || (value?.last_message?.id ?? '') >= data.id) return next;
  const conversations = withEntry(next.conversations, id, { value, touched: event.sequence });
  return markStale({ ...next, conversations }, 'conversations', id);
}

function applyToThread(state: LiveState, event: LiveEvent, conversationId: string, data: ProgressData): LiveState {
  const thread = state.threads.get(conversationId);
  if (thread === undefined) return state;
  const held = thread.items.get(data.id);
  const touched = event.sequence;
  if (held === undefined || !isOutbound(held.value) || !isProgress(event.type)) {
    const gap = held === undefined && (thread.gap === null || data.id < thread.gap) ? data.id : thread.gap;
    const next = { ...state, threads: withEntry(state.threads, conversationId, { ...thread, gap, touched }) };
    return markStale(next, 'threads', conversationId);
  }
  const items = withEntry(thread.items, data.id, { value: applyProgress(held.value, event.type, data), touched });
  return { ...state, threads: withEntry(state.threads, conversationId, { ...thread, items, touched }) };
}

type ContactData = Pick<Contact, 'id'> & Partial<Pick<ContactMerge, 'merged_contact_id'>>;

/** Names stand in conversations: those of the contact are read again. */
function applyContact(
  state: LiveState,
  { sequence }: LiveEvent,
  { id, merged_contact_id: merged }: ContactData,
): LiveState {
  const ids = merged === undefined ? [id] : [id, merged];
  const touched = [...state.contacts, ...ids.map((one) => ({ id: one, touched: sequence }))];
  let next: LiveState = { ...state, contacts: touched.slice(-REMEMBERED_CONTACTS) };
  for (const [conversationId, { value }] of state.conversations) {
    if (value === null || !ids.includes(value.contact_id)) continue;
    const conversations = withEntry(next.conversations, conversationId, { value, touched: sequence });
    next = markStale({ ...next, conversations }, 'conversations', conversationId);
    if (next.threads.has(conversationId)) next = markStale(next, 'threads', conversationId);
  }
  return next;
}
