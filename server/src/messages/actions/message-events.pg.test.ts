import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { openPostgres } from '#database/postgres';
import { emitChanges, withEvents } from '#events/actions/with-events';
import { readEvents } from '#events/store/events';
import { insertAcceptedBatch } from '#messages/store/accept-batch';
import { settleSent } from '#messages/store/settle-batch';
import { applyStatuses, takeStatuses } from '#messages/store/status-batch';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { untilWaiting } from '#testing/database/until-waiting';
import { testRuntime } from '#testing/test-runtime';

/* The answer to a send and its statuses, at the same moment on several connections. */

const rt = testRuntime();
const phoneNumberId = '700' as PhoneNumberId;
const MESSAGES = 40;
let database: TestDatabase;
let second: Database;
let tenantId: TenantId;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  second = openPostgres({ url: database.url ?? '', poolSize: 6, log: rt.log });
  tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1 });
});
afterAll(async () => {
  await second.close();
  await database.drop();
});

async function accept(): Promise<MessageId> {
  const messageId = rt.newId<MessageId>();
  const content = { type: 'text', body: 'x', previewUrl: false } as const;
  const empty = { campaignName: null, clientRef: null, replyTo: null, resendOf: null, author: null, sendAtMs: null };
  const ids = { tenantId, messageId, phoneNumberId };
  const message = {
    ...ids,
    ...empty,
    content,
    to: '15550002222',
    priority: 'normal',
    expiresMs: 9e12,
    createdMs: 1,
  } as const;
  await insertAcceptedBatch(database.db, [{ idempotency: null, message }]);
  return messageId;
}

function answer(messageId: MessageId): Promise<unknown> {
  const row = { tenantId, messageId, networkMessageId: `w.${messageId}`, attempt: 1, acceptedMs: 2 };
  return settleSent(database.db, [row], 9);
}

interface Times {
  readonly sentMs?: number;
  readonly deliveredMs?: number;
  readonly readMs?: number;
}

/**
 * By a separate statement, or within a transaction: callbacks with nothing but statuses take the one way, others the
 * other.
 */
function status(messageId: MessageId, times: Times, way: number): Promise<unknown> {
  const nothing = { sentMs: null, deliveredMs: null, readMs: null, failedMs: null, error: null, pricing: null };
  const ids = { tenantId, messageId, phoneNumberId, networkMessageId: `w.${messageId}`, attempt: 1 };
  const batch = { rows: [{ ...ids, ...nothing, ...times }], nowMs: 9, reconciledTrace: '[]', batchId: rt.newId() };
  if (way % 2 === 0) return takeStatuses(second, batch);
  return withEvents(rt, second, async (tx, events) => emitChanges(events, (await applyStatuses(tx, batch)).news));
}

test('an answer and statuses that meet on one message record each of its stages once', async () => {
  const ids: MessageId[] = [];
  for (let n = 0; n < MESSAGES; n++) {
    const id = await accept();
    ids.push(id);
    const statuses = [{ sentMs: 3 }, { deliveredMs: 4 }, { readMs: 5 }];
    const changes = [answer(id), ...statuses.map((times, index) => status(id, times, n + index))];
    await Promise.all(changes);
  }
  const events = await readEvents(database.db, { tenantId, after: 0, types: null, limit: 10_000 });
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  for (const id of ids) {
    const types = events.filter(({ data }) => data.id === id).map(({ type }) => type);
    expect(types).toEqual(['message.queued', 'message.sent', 'message.delivered', 'message.read']);
  }
});

test('statuses and answers that wait for a row do not block the events of others of their tenant', async () => {
  const apply = () =>
    withEvents(rt, second, async (_tx, events) => events.add({ tenantId, type: 'team.deleted', data: { id: 'x' } }));
  for (const learn of [answer, (id: MessageId) => status(id, { readMs: 5 }, 0)]) {
    const id = await accept();
    const learned = await database.db.transaction(async (tx) => {
      await tx.run({ name: 'test_hold', text: 'select 1 from send_queue where message_id = $1 for update' }, [id]);
      const waiting = learn(id);
      await untilWaiting(second, 1, waiting);
      await apply();
      return [waiting];
    });
    await Promise.all(learned);
    const events = await readEvents(database.db, { tenantId, after: 0, types: null, limit: 10_000 });
    const types = events.map(({ type }) => type);
    expect(types.lastIndexOf('team.deleted')).toBeLessThan(types.lastIndexOf('message.sent'));
  }
});
