import { afterEach, expect, test, vi } from 'vitest';
import { Sender } from './sender.ts';
import type { LiveSource } from './source.ts';
import { LiveStore } from './store.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const HOLD_MS = 5_000;

test('a reply is sent when its hold ends, also when the clock moves on while that is looked at', async () => {
  vi.useFakeTimers();
  let nowMs = 1_000_000;
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs);
  const store = new LiveStore();
  const execute = vi.fn(async () => ({ kind: 'accepted', messageId: '1' }) as const);
  const outbox = { keep: async () => undefined, forget: async () => undefined, onLeft: () => () => undefined };
  const sender = new Sender(store, { execute } as unknown as LiveSource, outbox);
  sender.submit('c', { kind: 'reply', content: { type: 'text', body: 'Hello' }, after: null, force: false }, HOLD_MS);
  // The timer comes a moment early, and each look at the clock takes that moment.
  nowMs += HOLD_MS - 1;
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs++);
  await vi.advanceTimersByTimeAsync(2 * HOLD_MS);
  expect(execute).toHaveBeenCalledTimes(1);
  store.stop();
});
