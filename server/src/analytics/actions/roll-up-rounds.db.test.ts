import { afterAll, beforeEach, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { readRollUpCursor } from '#analytics/store/analytics-writes';
import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { readEventsToCount } from '#events/store/events';
import type { NewMessage } from '#messages/domain/message';
import { insertAcceptedBatch } from '#messages/store/accept-batch';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { rollUp } from './roll-up.ts';

const clock = new TestClock();
const rt = testRuntime({}, clock);
let database: TestDatabase | undefined;
let tenantId: TenantId;

beforeEach(async () => {
  await database?.drop();
  database = await openTestDatabase(rt);
  tenantId = await createTenant(rt, database.db, { name: 'Counted' });
});
afterAll(() => database?.drop());

function db() {
  if (database === undefined) throw new Error('No database is open.');
  return database.db;
}

/** So many messages, accepted together: one page with an event for each. */
async function accept(count: number): Promise<void> {
  const message = (): NewMessage => ({
    ...{ tenantId, messageId: rt.newId<MessageId>(), phoneNumberId: '700' as PhoneNumberId, to: '15550002221' },
    ...{ content: { type: 'text', body: 'x', previewUrl: false }, campaignName: null, clientRef: null, replyTo: null },
    ...{ resendOf: null, author: null, sendAtMs: null, priority: 'normal', expiresMs: 9e12, createdMs: clock.now() },
  });
  await insertAcceptedBatch(
    db(),
    Array.from({ length: count }, () => ({ idempotency: null, message: message() })),
  );
}

test('sums with events of the last moment are left to a later round, so that no process counts a busy tenant without end', async () => {
  await accept(1);
  expect(await rollUp(rt, db())).toBe(1);
  clock.advance(500);
  await accept(2);
  expect(await rollUp(rt, db())).toBe(0);
  clock.advance(500);
  expect(await rollUp(rt, db())).toBe(2);
  expect(await readRollUpCursor(db(), tenantId)).toBe(3);
});

test('sums from a machine whose clock is far ahead are not left alone until its time has come', async () => {
  await accept(1);
  await rollUp(rt, db());
  await db().run({ name: '', text: 'update analytics_cursors set as_of_ms = as_of_ms + 3600000' }, []);
  await accept(1);
  expect(await rollUp(rt, db())).toBe(1);
});

test('a round counts pages of many events a few at a time, and many small ones at once', async () => {
  const page = { tenantId, after: 0, pages: 100, events: 10 };
  for (const count of [8, 8, 8]) await accept(count);
  expect(await readEventsToCount(db(), page)).toMatchObject({ lastSequence: 16 });
  expect(await readEventsToCount(db(), { ...page, after: 16 })).toMatchObject({ lastSequence: 24 });
  expect(await readEventsToCount(db(), { ...page, pages: 1 })).toMatchObject({ lastSequence: 8 });
  expect(await readEventsToCount(db(), { ...page, events: 1 })).toMatchObject({ lastSequence: 8 });
});

test('events that another process has counted meanwhile are not read again', async () => {
  await accept(1);
  await rollUp(rt, db());
  await accept(1);
  expect(await readEventsToCount(db(), { tenantId, after: 0, pages: 100, events: 10 })).toBeNull();
  expect(await readEventsToCount(db(), { tenantId, after: 1, pages: 100, events: 10 })).toMatchObject({
    lastSequence: 2,
  });
});
