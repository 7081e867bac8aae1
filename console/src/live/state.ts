import type { Position, Sort } from './activity.ts';
import type { Conversation, ThreadItem } from './model.ts';

/** A value, and the sequence of the newest event that changed it. A read that began earlier may not know that event. */
export interface Entry<T> {
  readonly value: T;
  readonly touched: number;
}

/** What is held of one thread: everything from its oldest item on, up to the newest. */
export interface Thread {
  readonly items: ReadonlyMap<string, Entry<ThreadItem>>;
  /** Where older items are read from; null: there are none. */
  readonly older: string | null;
  /** Whether its newest page was read: before, it may hold a few items that events brought. */
  readonly isLoaded: boolean;
  /** The oldest message that an event named and nobody has read yet: what is held has a gap there. Null: none. */
  readonly gap: string | null;
  /** The newest event that was about this thread, also of items that are not known yet. */
  readonly touched: number;
}

/** How far a list of conversations is held: everything up to the last row that was read. */
export interface ListExtent {
  readonly sort: Sort;
  readonly cursor: string | null;
  /** Where the last row stands; null: the list is held to its end. */
  readonly horizon: Position | null;
}

/** So many changed contacts are remembered: more than change while an answer is on its way. */
export const REMEMBERED_CONTACTS = 64;

/** The confirmed state: what reads and events have said. Never changed in place. */
export interface LiveState {
  /** Sequence of the newest event that was applied. */
  readonly head: number;
  /** A conversation is null while only its id is known. */
  readonly conversations: ReadonlyMap<string, Entry<Conversation | null>>;
  readonly threads: ReadonlyMap<string, Thread>;
  readonly lists: ReadonlyMap<string, ListExtent>;
  /** The contacts that the newest events were about: a read that began before may show them as they were. */
  readonly contacts: readonly { readonly id: string; readonly touched: number }[];
  /** What an event has changed in a way that it does not tell in full: to be read again. */
  readonly stale: { readonly conversations: ReadonlySet<string>; readonly threads: ReadonlySet<string> };
}

export const emptyState: LiveState = {
  head: 0,
  conversations: new Map(),
  threads: new Map(),
  lists: new Map(),
  contacts: [],
  stale: { conversations: new Set(), threads: new Set() },
};

export function withEntry<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> {
  return new Map(map).set(key, value);
}

export function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}

type Stale = keyof LiveState['stale'];

/** The state with one more thing to read again. */
export function markStale(state: LiveState, what: Stale, id: string): LiveState {
  if (state.stale[what].has(id)) return state;
  return { ...state, stale: { ...state.stale, [what]: new Set(state.stale[what]).add(id) } };
}

/** The state without these things to read again. */
export function markFresh(state: LiveState, what: Stale, ids: Iterable<string>): LiveState {
  const rest = new Set(state.stale[what]);
  for (const id of ids) rest.delete(id);
  if (rest.size === state.stale[what].size) return state;
  return { ...state, stale: { ...state.stale, [what]: rest } };
}
