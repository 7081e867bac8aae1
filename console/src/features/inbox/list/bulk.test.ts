import { expect, test } from 'vitest';
import type { Conversation } from '../../../live/model.ts';
import { changedBy, isDone, wayBack } from './bulk.ts';

const one = (fields: object) => ({ status: 'open', assignee_id: null, priority: 'normal', ...fields }) as Conversation;

test('only what a change changes is changed, and so undone', () => {
  const [open, resolved] = [one({ id: 'a' }), one({ id: 'b', status: 'resolved' })];
  expect(changedBy({ kind: 'resolve' }, [open, resolved])).toEqual([open]);
  expect(changedBy({ kind: 'reopen' }, [open, resolved])).toEqual([resolved]);
  expect(isDone({ kind: 'assign', assigneeId: 'ada' }, one({ assignee_id: 'ada' }))).toBe(true);
  expect(isDone({ kind: 'prioritize', priority: 'high' }, open)).toBe(false);
});

test('the way back leads to the state, the agent and the priority that were', () => {
  const until = '2030-01-01T09:00:00.000Z';
  expect(wayBack({ kind: 'resolve' }, one({}))).toEqual({ kind: 'reopen' });
  expect(wayBack({ kind: 'reopen' }, one({ status: 'resolved' }))).toEqual({ kind: 'resolve' });
  expect(wayBack({ kind: 'resolve' }, one({ status: 'snoozed', snoozed_until: until }))).toEqual({
    kind: 'snooze',
    until,
  });
  expect(wayBack({ kind: 'assign', assigneeId: 'ada' }, one({ assignee_id: 'bo' }))).toEqual({
    kind: 'assign',
    assigneeId: 'bo',
  });
  expect(wayBack({ kind: 'prioritize', priority: 'low' }, one({}))).toEqual({
    kind: 'prioritize',
    priority: 'normal',
  });
});
