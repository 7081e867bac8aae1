import { expect, test } from 'vitest';
import { apply } from './apply.ts';
import type { InboundItem } from './model.ts';
import { emptyState, type LiveState } from './state.ts';

const AT = '2030-01-01T12:00:00.000Z';
const ringing = { direction: 'user_initiated', state: 'ringing', duration_seconds: null } as const;
const entry: InboundItem = {
  ...{ id: 'm1', direction: 'inbound', type: 'call', from: '1', profile_name: null, body: null, media: null },
  ...{ reply_to: null, conversation_id: 'c1', network_timestamp: AT, received_at: AT, created_at: AT },
  call: ringing,
};

function tell(state: LiveState, sequence: number, type: string, call: InboundItem['call']): LiveState {
  return apply(state, { id: `e${sequence}`, sequence, type, timestamp: AT, data: { ...entry, call } });
}

test('a call is one row of the thread that says what is known last, and what it counts for is read again', () => {
  const thread = { items: new Map(), older: null, isLoaded: true, gap: null, touched: 0 };
  const begun = tell({ ...emptyState, threads: new Map([['c1', thread]]) }, 1, 'call.started', ringing);
  const missed = { ...ringing, state: 'missed' } as const;
  const ended = tell(begun, 2, 'call.ended', missed);
  expect([...(ended.threads.get('c1')?.items.values() ?? [])].map(({ value }) => value)).toEqual([
    { ...entry, call: missed },
  ]);
  expect([...ended.stale.conversations]).toEqual(['c1']);
});
