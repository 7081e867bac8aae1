import { expect, test } from 'vitest';
import type { TenantId } from '#core/ids';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { LeaseWorker } from './lease-worker.ts';

interface Job {
  readonly tenantId: TenantId;
  readonly end: () => void;
}

const PLACES = 8;

/** Jobs in memory, claimed in order; each ends when the test says so. */
function world(tenants: readonly string[]) {
  const due = tenants.map((tenant) => tenant as TenantId);
  const running: Job[] = [];
  const worker = new LeaseWorker<{ readonly tenantId: TenantId }>({
    rt: testRuntime({}, new TestClock()),
    name: 'test',
    pollMs: 1_000,
    places: PLACES,
    isDue: async () => true,
    claim: async (limit, without) => {
      const claimed = due.filter((tenant) => !without.includes(tenant)).slice(0, limit);
      for (const tenant of claimed) due.splice(due.indexOf(tenant), 1);
      return claimed.map((tenantId) => ({ tenantId }));
    },
    work: ({ tenantId }) => new Promise((end) => running.push({ tenantId, end })),
  });
  return { due, running, worker };
}

test('a tenant whose jobs hang leaves places to the others', async () => {
  const { due, running, worker } = world(Array.from({ length: 50 }, () => 'hung'));
  await worker.runOnce();
  expect(running.length).toBeLessThan(PLACES);
  for (const tenant of ['a', 'b']) due.push(tenant as TenantId);
  await worker.runOnce();
  expect(running.slice(-2).map(({ tenantId }) => tenantId)).toEqual(['a', 'b']);
});

test('all jobs are worked on without waiting for a poll, never more at the same time than there are places', async () => {
  const { due, running, worker } = world(Array.from({ length: 60 }, (_, index) => `tenant-${index % 2}`));
  worker.start();
  let done = 0;
  for (let turn = 0; turn < 1_000 && done < 60; turn += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(running.length).toBeLessThanOrEqual(PLACES);
    for (const { end } of running.splice(0)) {
      end();
      done += 1;
    }
  }
  expect([done, due.length]).toEqual([60, 0]);
  await worker.stop();
});
