import { expect, test } from 'vitest';
import type { DispatcherId, PhoneNumberId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import type { LaneRow } from '#messages/store/leases';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { makeExpirySweep } from './reconciler.ts';

const EVERY_MS = 5_000;

/**
 * @returns how many passes begin in an hour when each takes as long as given, and is asked for as the dispatcher does
 */
async function passesInAnHour(passMs: number, paused = true): Promise<number> {
  const clock = new TestClock();
  let passes = 0;
  const run = async () => {
    passes += 1;
    clock.advance(passMs);
    return { rows: [], rowCount: 0 };
  };
  const sweep = makeExpirySweep({
    rt: testRuntime({}, clock),
    db: { run } as unknown as Database,
    owner: 'd1' as DispatcherId,
    settler: {} as never,
  });
  const lane = { tenantId: 't1' as TenantId, phoneNumberId: '1' as PhoneNumberId, paused } as LaneRow;
  const endMs = clock.monotonic() + 3_600_000;
  while (clock.monotonic() < endMs) {
    await sweep([lane]);
    clock.advance(EVERY_MS);
  }
  return passes;
}

test('a pass for expired messages of paused numbers begins each time while it is short', async () => {
  expect(await passesInAnHour(5)).toBeGreaterThanOrEqual(715);
});

test('after a pass through a long backlog it rests 500 times as long, at most a minute', async () => {
  expect(await passesInAnHour(25)).toBe(240);
  expect(await passesInAnHour(10_000)).toBeCloseTo(3_600 / (10 + 60), -1);
});

test('nothing is read while no number is paused', async () => {
  expect(await passesInAnHour(5, false)).toBe(0);
});
