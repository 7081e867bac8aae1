/** One page's whole knowledge: the confirmed state and the layer of commands, with every step that changes them. */
import { apply } from './apply.ts';
import { afterTry, type Command, inTurn, isConfirmed, type Outcome } from './commands.ts';
import type { LiveEvent } from './model.ts';
import { mergeConversations } from './reads.ts';
import { emptyState, type LiveState, markStale } from './state.ts';

export interface Client {
  readonly state: LiveState;
  /** In the order in which they were given. */
  readonly commands: readonly Command[];
}

export const emptyClient: Client = { state: emptyState, commands: [] };

/** The client after a change of its confirmed state; what that confirms is dropped from the layer above. */
export function withState(client: Client, state: LiveState): Client {
  if (state === client.state) return client;
  const commands = client.commands.filter((command) => !isConfirmed(state, command));
  return { state, commands: commands.length === client.commands.length ? client.commands : commands };
}

export function receive(client: Client, events: readonly LiveEvent[]): Client {
  return withState(client, events.reduce(apply, client.state));
}

export function submit(client: Client, command: Command): Client {
  return { ...client, commands: [...client.commands, command] };
}

/**
 * The next command to try: the first of each conversation that waits, so that replies keep their order. One that is
 * held holds up what comes after it, but for a mark that something was read.
 */
export function commandsToTry({ commands }: Client, nowMs: number): readonly Command[] {
  const busy = new Set<string>();
  const held = new Set<string>();
  return commands.filter(({ conversationId, intent, progress, holdUntil }) => {
    if (progress.at === 'refused' || progress.at === 'accepted' || busy.has(conversationId)) return false;
    if (holdUntil !== undefined && Date.parse(holdUntil) > nowMs) held.add(conversationId);
    if (held.has(conversationId) && intent.kind !== 'read') return false;
    busy.add(conversationId);
    return progress.at === 'waiting';
  });
}

/** When the first hold ends; null: nothing is held. */
export function holdEnds({ commands }: Client, nowMs: number): number | null {
  const all = commands.flatMap(({ holdUntil }) => (holdUntil === undefined ? [] : Date.parse(holdUntil)));
  const ends = all.filter((endMs) => endMs > nowMs);
  return ends.length === 0 ? null : Math.min(...ends);
}

/** The client once every hold is over. */
export function releaseHeld(client: Client): Client {
  const commands = client.commands.map((one) =>
    one.holdUntil === undefined ? one : { ...one, holdUntil: one.issuedAt },
  );
  return { ...client, commands };
}

export function beginTry(client: Client, key: string): Client {
  return withCommand(client, key, ({ holdUntil, ...command }) => ({
    ...(holdUntil === undefined ? command : inTurn(client.state, command)),
    progress: { at: 'sending' },
  }));
}

/** @param startedAt the head when the try began */
export function finishTry(client: Client, key: string, outcome: Outcome, startedAt: number): Client {
  const command = client.commands.find((one) => one.key === key);
  if (command === undefined) return client;
  const tried = withCommand(client, key, (one) => afterTry(one, outcome));
  return withState(tried, afterAnswer(tried.state, command, outcome, startedAt));
}

/** Forgets a command that was refused, or tries it again as a new one. */
export function dropCommand(client: Client, key: string): Client {
  return { ...client, commands: client.commands.filter((one) => one.key !== key) };
}

function withCommand(client: Client, key: string, change: (command: Command) => Command): Client {
  const commands = client.commands.map((one) => (one.key === key ? change(one) : one));
  const left = commands.filter((one) => !isConfirmed(client.state, one));
  return { ...client, commands: left };
}

/** A changed conversation is a read; a message is fetched, because its event does not carry what it says. */
function afterAnswer(
  state: LiveState,
  { conversationId, isRepeated }: Command,
  outcome: Outcome,
  startedAt: number,
): LiveState {
  if (outcome.kind === 'changed' && isRepeated) return markStale(state, 'conversations', conversationId);
  if (outcome.kind === 'changed') {
    const conversations = new Map([[conversationId, outcome.conversation]]);
    return mergeConversations(state, { startedAt, conversations });
  }
  if (outcome.kind !== 'accepted') return state;
  const next = state.threads.has(conversationId) ? markStale(state, 'threads', conversationId) : state;
  const held = next.conversations.get(conversationId)?.value?.last_message?.id ?? '';
  return held >= outcome.messageId ? next : markStale(next, 'conversations', conversationId);
}
