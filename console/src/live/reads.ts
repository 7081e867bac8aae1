/** How answers of the API enter the state: an answer knows every event up to its request, and maybe later ones. */
import { positionOf, type Sort } from './activity.ts';
import type { Conversation, ThreadItem } from './model.ts';
import {
  type Entry,
  type ListExtent,
  type LiveState,
  markFresh,
  markStale,
  REMEMBERED_CONTACTS,
  type Thread,
  withEntry,
  without,
} from './state.ts';

/** A page of a list of conversations. `startedAt` is the head when the request left, here and below. */
export interface ListRead {
  readonly startedAt: number;
  readonly list: string;
  readonly sort: Sort;
  readonly conversations: readonly Conversation[];
  readonly cursor: string | null;
}

/** Conversations that were read by their ids; null: it is gone. */
export interface ConversationRead {
  readonly startedAt: number;
  readonly conversations: ReadonlyMap<string, Conversation | null>;
}

/** A page of a thread, newest first. */
export interface ThreadRead {
  readonly startedAt: number;
  readonly conversationId: string;
  readonly items: readonly ThreadItem[];
  readonly cursor: string | null;
  /** Whether the page continues what is held towards the past; else it is the newest one. */
  readonly isOlder: boolean;
}

/** A page of a list enters: its rows, and how far the list is held now. */
export function mergeList(state: LiveState, read: ListRead): LiveState {
  const last = read.conversations.at(-1);
  const horizon = read.cursor === null || last === undefined ? null : positionOf(last, read.sort);
  const extent: ListExtent = { sort: read.sort, cursor: read.cursor, horizon };
  const found = new Map(read.conversations.map((one) => [one.id, one]));
  const next = mergeConversations(state, { startedAt: read.startedAt, conversations: found });
  return { ...next, lists: withEntry(next.lists, read.list, extent) };
}

/** Conversations enter, unless an event has said something newer since the request left: those are read once more. */
export function mergeConversations(state: LiveState, { startedAt, conversations }: ConversationRead): LiveState {
  const entries = new Map(state.conversations);
  const renamed = contactsSince(state, startedAt);
  const settled: string[] = [];
  const again: string[] = [];
  for (const [id, value] of conversations) {
    const held = entries.get(id);
    const isOvertaken = held !== undefined && held.touched > startedAt;
    if (value === null && !isOvertaken) entries.delete(id);
    else if (value !== null) entries.set(id, merged(held, value, isOvertaken));
    (isOvertaken || renamed(value?.contact_id) ? again : settled).push(id);
  }
  const next = markFresh({ ...state, conversations: entries }, 'conversations', settled);
  return again.reduce((one, id) => markStale(one, 'conversations', id), next);
}

/** Whether a contact has changed since; when so many have that it is not known any more, it may have. */
function contactsSince({ contacts }: LiveState, startedAt: number): (id: string | undefined) => boolean {
  const changed = contacts.filter(({ touched }) => touched > startedAt);
  const ids = new Set(changed.map(({ id }) => id));
  return (id) => id !== undefined && (ids.has(id) || changed.length >= REMEMBERED_CONTACTS);
}

function merged(held: Entry<Conversation | null> | undefined, read: Conversation, isOvertaken: boolean) {
  const touched = held?.touched ?? 0;
  if (!isOvertaken || held?.value == null) return { value: read, touched };
  const contact = read.contact ?? held.value.contact;
  return { value: contact === undefined ? held.value : { ...held.value, contact }, touched };
}

/** A page of a thread enters. An older page that an event has overtaken does not: it is asked for again. */
export function mergeThread(state: LiveState, read: ThreadRead): LiveState {
  const { conversationId, startedAt, isOlder } = read;
  const held = state.threads.get(conversationId);
  const isOvertaken = held !== undefined && held.touched > startedAt;
  if (held === undefined || (isOlder && (isOvertaken || !held.isLoaded))) return state;
  const thread = isOlder ? olderPage(held, read) : newestPage(held, read);
  const next = { ...state, threads: withEntry(state.threads, conversationId, thread) };
  if (isOlder) return next;
  return isOvertaken ? markStale(next, 'threads', conversationId) : markFresh(next, 'threads', [conversationId]);
}

/** Begins to hold a thread: from now on its events are kept. It is read, and its conversation too where it is unknown. */
export function openThread(state: LiveState, conversationId: string): LiveState {
  const isKnown = state.conversations.get(conversationId)?.value != null;
  const next = markStale(
    isKnown ? state : markStale(state, 'conversations', conversationId),
    'threads',
    conversationId,
  );
  if (state.threads.has(conversationId)) return next;
  const thread: Thread = { items: new Map(), older: null, isLoaded: false, gap: null, touched: 0 };
  return { ...next, threads: withEntry(next.threads, conversationId, thread) };
}

/** Forgets a thread that nobody looks at any more. */
export function closeThread(state: LiveState, conversationId: string): LiveState {
  const next = { ...state, threads: without(state.threads, conversationId) };
  return markFresh(next, 'threads', [conversationId]);
}

function olderPage(held: Thread, { items, cursor, startedAt }: ThreadRead): Thread {
  return { ...held, items: withItems(held.items, items, startedAt), older: cursor };
}

/** The newest page replaces what is held of its span. What is older stays when the two touch; else it is read again. */
function newestPage(held: Thread, { items, cursor, startedAt }: ThreadRead): Thread {
  const oldest = items.at(-1)?.id ?? '';
  const isGapRead = held.gap === null || held.gap >= oldest;
  const isJoined = held.isLoaded && cursor !== null && isGapRead && held.items.has(oldest);
  const kept = [...held.items].filter(([id, { touched }]) => (id < oldest ? isJoined : touched > startedAt));
  const hasOlder = kept.some(([id]) => id < oldest);
  const older = hasOlder ? held.older : cursor;
  const gap = held.touched > startedAt ? held.gap : null;
  return { ...held, items: withItems(new Map(kept), items, startedAt), older, gap, isLoaded: true };
}

function withItems(held: Thread['items'], items: readonly ThreadItem[], startedAt: number): Thread['items'] {
  const next = new Map(held);
  for (const value of items) {
    const before = next.get(value.id);
    if (before === undefined || before.touched <= startedAt)
      next.set(value.id, { value, touched: before?.touched ?? 0 });
  }
  return next;
}
