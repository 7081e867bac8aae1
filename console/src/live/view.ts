/** What a person sees: the confirmed state with the commands above it. */
import { comparePositions, type Position, positionOf } from './activity.ts';
import type { Client } from './client.ts';
import { type Command, isShown, overlay } from './commands.ts';
import type { Conversation, ThreadItem } from './model.ts';
import type { LiveState } from './state.ts';

/** Which conversations a list holds. Its name is that of the list in the state. */
export interface ListFilter {
  readonly name: string;
  readonly holds: (one: Conversation) => boolean;
}

/** A conversation as this person has changed it; null while it is not known. */
export function viewConversation({ state, commands }: Client, id: string): Conversation | null {
  const held = state.conversations.get(id)?.value ?? null;
  return held === null ? null : overlaid(held, commands);
}

function overlaid(held: Conversation, commands: readonly Command[]): Conversation {
  return commands.reduce((one, { conversationId, intent, issuedAt, progress }) => {
    const counts = conversationId === held.id && progress.at !== 'refused';
    return counts ? overlay(one, intent, issuedAt) : one;
  }, held);
}

/** What the rows of a list depend on. */
export interface ListClient extends Pick<Client, 'commands'> {
  readonly state: Pick<LiveState, 'conversations' | 'lists'>;
}

/** The rows of a list as far as it is held, in its order; null until its first page is there. */
export function viewList({ state, commands }: ListClient, { name, holds }: ListFilter): readonly Conversation[] | null {
  const extent = state.lists.get(name);
  if (extent === undefined) return null;
  const { sort, horizon } = extent;
  const compare = comparePositions(sort);
  const changed = new Set(commands.map(({ conversationId }) => conversationId));
  const rows: { readonly one: Conversation; readonly position: Position }[] = [];
  for (const { value } of state.conversations.values()) {
    if (value === null) continue;
    const one = changed.has(value.id) ? overlaid(value, commands) : value;
    const position = positionOf(one, sort);
    const isHeld = horizon === null || compare(position, horizon) <= 0;
    if (isHeld && holds(one)) rows.push({ one, position });
  }
  rows.sort((left, right) => compare(left.position, right.position));
  return rows.map(({ one }) => one);
}

/** A thread: its items, oldest first, and below them what was written here and is not confirmed. */
export interface ThreadView {
  readonly items: readonly ThreadItem[];
  readonly pending: readonly Command[];
  readonly hasOlder: boolean;
  readonly isLoaded: boolean;
}

/** The thread of a conversation; null while nobody has opened it. */
export function viewThread({ state, commands }: Client, conversationId: string): ThreadView | null {
  const thread = state.threads.get(conversationId);
  if (thread === undefined) return null;
  const items = [...thread.items.values()].map(({ value }) => value);
  items.sort((left, right) => (left.id < right.id ? -1 : 1));
  const pending = commands.filter(
    (one) => one.conversationId === conversationId && isWritten(one) && !isShown(state, one),
  );
  return { items, pending, hasOlder: thread.older !== null, isLoaded: thread.isLoaded };
}

const isWritten = ({ intent }: Command): boolean => intent.kind === 'reply' || intent.kind === 'note';
