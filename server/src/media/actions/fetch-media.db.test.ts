import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { type ClaimedFetch, insertInboundMedia } from '#media/store/inbound-media';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { claimDueFetches, FETCH_LEASE_MS, failMediaFetch } from './fetch-media.ts';

const FIVE_MINUTES_MS = 300_000;
const clock = new TestClock();
/** Every wait is as long as jitter can make it. */
const rt = testRuntime({}, clock, () => 1 - Number.EPSILON);
let database: TestDatabase;
let cameMs: number;

beforeAll(async () => {
  database = await openTestDatabase(rt);
});
beforeEach(async () => {
  cameMs = clock.now();
  const owner = { tenantId: rt.newId<TenantId>(), messageId: rt.newId<MessageId>() };
  const message = { ...owner, phoneNumberId: '700' as PhoneNumberId, nowMs: cameMs };
  await insertInboundMedia(database.db, message, {
    networkMediaId: '900',
    mimeType: 'image/jpeg',
    sha256: null,
    filename: null,
  });
});
afterAll(() => database.drop());

async function claimed(): Promise<ClaimedFetch | undefined> {
  const [fetch] = await claimDueFetches(rt, database.db, 10);
  return fetch;
}

async function fail(fetch: ClaimedFetch | undefined, passing: boolean): Promise<number | null> {
  if (fetch === undefined) throw new Error('Nothing was due.');
  return failMediaFetch(rt, database.db, fetch, { code: 'media_unreachable', passing });
}

test('a file whose process was killed is taken over in time for the five minutes, and not before', async () => {
  expect(await claimed()).toMatchObject({ attempt: 1 });
  clock.advance(FETCH_LEASE_MS - 1);
  expect(await claimed()).toBeUndefined();
  clock.advance(1);
  const second = await claimed();
  expect(second).toMatchObject({ attempt: 2, createdMs: cameMs });
  // An attempt ends before its lease does.
  expect(clock.now() + FETCH_LEASE_MS - cameMs).toBeLessThanOrEqual(FIVE_MINUTES_MS);
  expect(await fail(second, false)).toBeNull();
  expect(await claimed()).toBeUndefined();
});

test('a file that fails for passing reasons is tried seven times within the five minutes', async () => {
  for (let attempt = 1; attempt <= 7; attempt += 1) {
    const fetch = await claimed();
    expect(fetch).toMatchObject({ attempt });
    const dueMs = await fail(fetch, true);
    expect(clock.now() - cameMs).toBeLessThan(FIVE_MINUTES_MS);
    clock.advance((dueMs ?? 0) - clock.now());
  }
  expect(await fail(await claimed(), false)).toBeNull();
});
