import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TenantId } from '#core/ids';
import type { EventDraft } from '#events/domain/event';
import { lastSequence, readEvents } from '#events/store/events';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { withEvents } from './with-events.ts';

const rt = testRuntime();
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(rt);
});
afterAll(() => database.drop());

function draft(tenantId: TenantId, n: number): EventDraft {
  return { tenantId, type: n % 2 === 0 ? 'message.sent' : 'message.failed', data: { n } };
}

function read(tenantId: TenantId, options: { after?: number; types?: EventDraft['type'][]; limit?: number } = {}) {
  return readEvents(database.db, { tenantId, after: 0, types: null, limit: 1_000, ...options });
}

test('events are numbered from one without gaps, for each tenant alone', async () => {
  const [one, other] = [rt.newId<TenantId>(), rt.newId<TenantId>()];
  await withEvents(rt, database.db, async (_tx, events) => {
    for (const [n, tenantId] of [one, other, one, one, other].entries()) events.add(draft(tenantId, n));
  });
  await withEvents(rt, database.db, async (_tx, events) => events.add(draft(one, 5)));
  expect((await read(one)).map(({ sequence, data }) => [sequence, data])).toEqual([
    [1, { n: 0 }],
    [2, { n: 2 }],
    [3, { n: 3 }],
    [4, { n: 5 }],
  ]);
  expect((await read(other)).map(({ sequence }) => sequence)).toEqual([1, 2]);
});

test('a transaction that fails records nothing and takes no number', async () => {
  const tenantId = rt.newId<TenantId>();
  const failing = withEvents(rt, database.db, async (_tx, events) => {
    events.add(draft(tenantId, 0));
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  expect(await lastSequence(database.db, tenantId)).toBe(0);
  await withEvents(rt, database.db, async (_tx, events) => events.add(draft(tenantId, 1)));
  expect((await read(tenantId)).map(({ sequence }) => sequence)).toEqual([1]);
});

test('more events than a page holds, read in any portion and from any place, are all there once and in order', async () => {
  const tenantId = rt.newId<TenantId>();
  await withEvents(rt, database.db, async (_tx, events) => {
    for (let n = 0; n < 1_203; n++) events.add(draft(tenantId, n));
  });
  for (let n = 1_203; n < 1_240; n++)
    await withEvents(rt, database.db, async (_tx, events) => events.add(draft(tenantId, n)));
  for (const portion of [1, 7, 500, 1_000]) {
    const seen: unknown[] = [];
    for (let after = portion === 1 ? 1_190 : 0; ; ) {
      const events = await read(tenantId, { after, limit: portion });
      if (events.length === 0) break;
      seen.push(...events.map(({ data }) => data.n));
      after = events.at(-1)?.sequence ?? after;
    }
    const first = portion === 1 ? 1_190 : 0;
    expect(seen).toEqual(Array.from({ length: 1_240 - first }, (_, n) => n + first));
  }
  const failed = await read(tenantId, { types: ['message.failed'], limit: 1_000 });
  expect(failed.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 620 }, (_, n) => 2 * n + 2));
});

test('the signal names the tenants of a commit, and not of one that failed', async () => {
  const tenantId = rt.newId<TenantId>();
  const signaled: TenantId[] = [];
  const stop = rt.eventSignal.listen((tenants) => signaled.push(...tenants));
  await withEvents(rt, database.db, async (_tx, events) => events.add(draft(tenantId, 0)));
  await withEvents(rt, database.db, async () => undefined);
  stop();
  await withEvents(rt, database.db, async (_tx, events) => events.add(draft(tenantId, 1)));
  expect(signaled).toEqual([tenantId]);
});
