/** Keeps what screens asked for true, from the events of the live stream. */
import type { QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from '../live/model.ts';
import { type Agent, agentsQuery } from './resources.ts';

/** After which events what is read again: the beginning of the type, and of the keys of the queries. */
const READ_AGAIN: readonly (readonly [type: string, ...keys: string[]])[] = [
  ['conversation.', 'counts', 'view-counts'],
  ['message.received', 'counts', 'view-counts'],
  ['call.', 'counts', 'view-counts'],
  ['agent.created', 'team'],
  ['agent.updated', 'team'],
  ['agent.deleted', 'team'],
  ['team.', 'team'],
  ['template.', 'templates', 'template-preview'],
  ['number.', 'phone-numbers'],
  ['contact.', 'contact'],
];
const FOLLOWED = new Set(['agents', ...READ_AGAIN.flatMap(([, ...keys]) => keys)]);
/** Many events within this time are one request. */
const TOGETHER_MS = 1_500;

/** Listens to the live stream. */
export interface EventFollower {
  /** The stream begins: an answer that was asked for before it may be older than its first event. */
  readonly begin: () => void;
  readonly follow: (events: readonly LiveEvent[]) => void;
  readonly stop: () => void;
}

export function eventFollower(queries: QueryClient): EventFollower {
  const keys = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const readAgain = () => {
    timer = null;
    for (const key of keys) void queries.invalidateQueries({ queryKey: [key] });
    keys.clear();
  };
  return {
    begin: () => {
      for (const key of FOLLOWED) void queries.invalidateQueries({ queryKey: [key] });
    },
    follow: (events) => {
      for (const event of events) {
        if (event.type.startsWith('agent.')) changeAgents(queries, event);
        for (const [type, ...changed] of READ_AGAIN) {
          if (event.type.startsWith(type)) for (const key of changed) keys.add(key);
        }
      }
      if (keys.size > 0) timer ??= setTimeout(readAgain, TOGETHER_MS);
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** Agents come and go online all day: their events carry the whole agent, and nothing is asked for. */
function changeAgents(queries: QueryClient, { type, data }: LiveEvent): void {
  const changed = data as Agent;
  queries.setQueryData(agentsQuery.queryKey, (agents) => {
    if (agents === undefined) return undefined;
    const others = agents.filter(({ id }) => id !== changed.id);
    if (type === 'agent.deleted') return others;
    return others.length === agents.length
      ? [...agents, changed]
      : agents.map((agent) => (agent.id === changed.id ? { ...agent, ...changed } : agent));
  });
}
