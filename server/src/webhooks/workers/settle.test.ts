import { expect, test } from 'vitest';
import type { DeliveryId, EndpointId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { StorageUnavailable } from '#database/database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { AttemptSettler } from './settle.ts';

const tenantId = '0190a6f2-0000-7000-8000-000000000001' as TenantId;
const attempt = { atMs: 0, durationMs: 1, status: 204, error: null, detail: null, response: null } as const;
const one = {
  settled: {
    tenantId,
    deliveryId: '0190a6f2-0000-7000-8000-000000000002' as DeliveryId,
    attempts: 1,
    attempt,
    state: 'delivered',
    dueMs: null,
    blocksUntilMs: null,
    overtaken: false,
  },
  lane: { tenantId, endpointId: '0190a6f2-0000-7000-8000-000000000003' as EndpointId, epoch: 1 },
} as const;

/** A settler whose database is away; `tries` counts what was asked of it. */
function stage() {
  const clock = new TestClock();
  let tries = 0;
  const run = async (): Promise<never> => {
    tries += 1;
    throw new StorageUnavailable('The database is away.');
  };
  const settler = new AttemptSettler(testRuntime({}, clock), { run } as unknown as Database);
  return { clock, settler, tries: () => tries };
}

/** Lets everything happen that waits for no clock. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test('while the database is away an outcome is tried again and again', async () => {
  const { clock, settler, tries } = stage();
  let isDone = false;
  void settler.settle(one).then(() => {
    isDone = true;
  });
  for (let n = 1; n <= 4; n += 1) {
    await settled();
    expect([n, tries(), isDone]).toEqual([n, n, false]);
    clock.advance(500);
  }
});

test('a process that leaves while the database is away does not wait for it', async () => {
  const { clock, settler, tries } = stage();
  const writing = settler.settle(one);
  await settled();
  settler.leave();
  clock.advance(500);
  await Promise.all([writing, settler.drain()]);
  expect(tries()).toBe(2);
});
