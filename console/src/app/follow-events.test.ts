import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type EventFollower, eventFollower } from './follow-events.ts';
import { type Agent, agentsQuery } from './resources.ts';

const ana: Agent = { id: 'a', name: 'Ana', role: 'owner', availability: 'online' };
const ben: Agent = { id: 'b', name: 'Ben', role: 'agent', availability: 'offline' };

let queries: QueryClient;
let follower: EventFollower;

beforeEach(() => {
  vi.useFakeTimers();
  queries = new QueryClient();
  follower = eventFollower(queries);
});
afterEach(() => {
  follower.stop();
  vi.useRealTimers();
});

const tell = (type: string, data: unknown) =>
  follower.follow([{ id: 'e', sequence: 1, type, timestamp: '2030-01-01T00:00:00Z', data }]);
const agents = () => queries.getQueryData(agentsQuery.queryKey);

test('a colleague who joins, changes or leaves is known at once, and nothing is asked for', () => {
  queries.setQueryData(agentsQuery.queryKey, [ana]);
  tell('agent.created', ben);
  expect(agents()).toEqual([ana, ben]);
  tell('agent.availability_changed', { ...ben, availability: 'online' });
  expect(agents()?.[1]?.availability).toBe('online');
  tell('agent.deleted', ana);
  expect(agents()?.map(({ name }) => name)).toEqual(['Ben']);
  expect(queries.isFetching()).toBe(0);
});

test('what nobody asked for yet is not half made from an event', () => {
  tell('agent.created', ben);
  expect(agents()).toBeUndefined();
});

test('what was asked for before the stream began is read again, since it may miss the events in between', () => {
  queries.setQueryData(agentsQuery.queryKey, [ana]);
  expect(queries.getQueryState(agentsQuery.queryKey)?.isInvalidated).toBe(false);
  follower.begin();
  expect(queries.getQueryState(agentsQuery.queryKey)?.isInvalidated).toBe(true);
});

test('what a hundred events change is read again once, and what they do not change is not', () => {
  const read = vi.spyOn(queries, 'invalidateQueries');
  for (let time = 0; time < 100; time += 1) tell('template.status_changed', {});
  expect(read).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(read.mock.calls.map(([about]) => about?.queryKey)).toEqual([['templates'], ['template-preview']]);
});
