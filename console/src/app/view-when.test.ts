import { expect, test } from 'vitest';
import { matches } from '../live/condition.ts';
import type { Conversation } from '../live/model.ts';
import { whenOf } from './view-when.ts';
import { viewsFor } from './views.ts';

const ME = '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e5f';
const looker = { meId: ME, nowMs: Date.parse('2030-01-01T00:00:00Z') };
const since = '2029-12-31T00:00:00.000Z';
const all = ['open', 'pending', 'snoozed', 'resolved'].flatMap((status) =>
  [null, ME, 'other'].flatMap((assignee_id) =>
    [null, since].map((waiting_since) => ({ status, assignee_id, waiting_since }) as Conversation),
  ),
);

test.each(
  viewsFor(ME).map(({ list }) => [list.name, list] as const),
)('the condition of the view %s has the conversations of its list', (_name, list) => {
  const when = whenOf(list);
  expect(all.filter((one) => matches(when, one, looker))).toEqual(all.filter((one) => list.holds(one)));
});
