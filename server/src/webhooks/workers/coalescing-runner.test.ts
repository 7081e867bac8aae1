import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { CoalescingRunner } from './coalescing-runner.ts';

/** How long after a run of `tookMs` the next one begins that was asked for meanwhile. */
async function restAfter(tookMs: number): Promise<number> {
  const clock = new TestClock();
  const starts: number[] = [];
  const runner: CoalescingRunner = new CoalescingRunner(testRuntime({}, clock), async () => {
    starts.push(clock.monotonic());
    if (starts.length > 1) return;
    clock.advance(tookMs);
    runner.ask();
    runner.ask();
  });
  runner.ask();
  await nextTurn();
  for (let ms = 0; ms < 1_000 && starts.length < 2; ms += 1) {
    clock.advance(1);
    await nextTurn();
  }
  expect(starts).toHaveLength(2);
  return (starts[1] ?? 0) - tookMs;
}

test.each([
  [0, 10],
  [1, 19],
  [7, 133],
  [5_000, 200],
])('after a run of %i ms the next one, however often it was asked for, begins %i ms later', async (tookMs, restMs) => {
  expect(await restAfter(tookMs)).toBe(restMs);
});
