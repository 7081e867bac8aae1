import { expect, test } from 'vitest';
import type { DispatcherId } from '#core/ids';
import type { Database } from '#database/database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { LanePoll } from './lane-poll.ts';

const EMPTY_QUEUE = [{ tenantId: null, phoneNumberId: null }];
const OWNER = '0190a6f3-1111-7222-8333-444455556666' as DispatcherId;
const POLL_MS = 250;

/** A poll that finds these rows. */
function pollOf(rows: readonly object[], meanwhile: (poll: LanePoll) => void = () => undefined) {
  const clock = new TestClock();
  let runs = 0;
  const run = async () => {
    runs += 1;
    meanwhile(poll);
    return { rows, rowCount: rows.length };
  };
  const woken: string[] = [];
  const poll = new LanePoll(testRuntime({}, clock), { run } as unknown as Database, OWNER, (key) => woken.push(key));
  /** Polls as often as the dispatcher does. @returns the reads of the database since the start */
  const forMs = async (ms: number): Promise<number> => {
    for (let passed = 0; passed < ms; passed += POLL_MS) {
      await poll.run();
      clock.advance(POLL_MS);
    }
    return runs;
  };
  return { poll, forMs, woken };
}

test('while nothing is queued, the database is asked once a second', async () => {
  const { poll, forMs } = pollOf(EMPTY_QUEUE);
  expect(await forMs(4_000)).toBe(4);
  expect(poll.isEmpty).toBe(false);
});

test('while something is queued, even when it is not due, the database is asked at every poll', async () => {
  const { poll, forMs } = pollOf([]);
  expect(await forMs(4_000)).toBe(16);
  expect(poll.isEmpty).toBe(false);
});

test('a message that is announced ends the rest of an empty queue', async () => {
  const { poll, forMs } = pollOf(EMPTY_QUEUE);
  await forMs(POLL_MS);
  expect(poll.isEmpty).toBe(true);
  poll.stir();
  expect(poll.isEmpty).toBe(false);
  expect(await forMs(POLL_MS)).toBe(2);
});

test('a message that is announced during a poll, which may have run too early for it, is found by the next', async () => {
  const { forMs } = pollOf(EMPTY_QUEUE, (poll) => poll.stir());
  expect(await forMs(1_000)).toBe(4);
});

test('lanes with work due are woken', async () => {
  const { forMs, woken } = pollOf([{ tenantId: 't', phoneNumberId: '7' }]);
  await forMs(POLL_MS);
  expect(woken).toEqual(['t/7']);
});
