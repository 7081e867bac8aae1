import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { Database, Transaction } from '#database/database';
import { openPostgres } from '#database/postgres';
import type { DeliveryError } from '#messages/domain/message';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { untilWaiting } from '#testing/database/until-waiting';
import { testRuntime } from '#testing/test-runtime';
import { insertAcceptedBatch } from './accept-batch.ts';
import { cancelQueued, requeueDeadLetter } from './dead-letters.ts';
import { endSend } from './end-send.ts';
import { type SettleRow, settleOthers, settleSent } from './settle-batch.ts';
import { applyStatuses, takeStatuses } from './status-batch.ts';
import type { StatusRow } from './status-rows.ts';

/* Two connections at one message: a statement whose snapshot is older than what it waited for, and the order of locks. */

const rt = testRuntime();
const phoneNumberId = '700' as PhoneNumberId;
const unknown: DeliveryError = { code: 'delivery_unknown', message: 'x', networkCode: null, retryable: true };
const refused: DeliveryError = { code: 'recipient_unreachable', message: 'x', networkCode: 131026, retryable: false };
const trace = { atMs: 5, event: 'test', detail: 'x' };
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

async function accepted(): Promise<MessageId> {
  const messageId = rt.newId<MessageId>();
  const content = { type: 'text', body: 'x', previewUrl: false } as const;
  const empty = { campaignName: null, clientRef: null, replyTo: null, resendOf: null, author: null, sendAtMs: null };
  const times = { expiresMs: 9e12, createdMs: 1 };
  const to = '15550002222';
  const message = { tenantId, messageId, phoneNumberId, content, to, priority: 'normal', ...empty, ...times } as const;
  await insertAcceptedBatch(database.db, [{ idempotency: null, message }]);
  return messageId;
}

/** A message whose first attempt was claimed. */
async function claimed(): Promise<MessageId> {
  const messageId = await accepted();
  const text = 'update send_queue set state = 1, epoch = 1, attempts = attempts + 1 where message_id = $1';
  await database.db.run({ name: 'test_claim', text }, [messageId]);
  return messageId;
}

function failure(messageId: MessageId): SettleRow {
  const from = { epoch: 1, fromState: 1, attempt: 1, nowMs: 5 } as const;
  return { tenantId, messageId, ...from, settlement: { kind: 'failed', error: unknown }, trace };
}

function statuses(messageId: MessageId, change: Partial<StatusRow>) {
  const nothing = { sentMs: null, deliveredMs: null, readMs: null, failedMs: null, error: null, pricing: null };
  const ids = { tenantId, messageId, phoneNumberId, networkMessageId: `w.${messageId}`, attempt: 1 };
  return { rows: [{ ...ids, ...nothing, ...change }], nowMs: 9, reconciledTrace: '[]', batchId: rt.newId() };
}

const requeue = (tx: Transaction, messageId: MessageId) =>
  requeueDeadLetter(tx, { tenantId, messageId, nowMs: 100, trace: '[]' });
const answer = (messageId: MessageId) =>
  settleSent(second, [{ tenantId, messageId, networkMessageId: `w.${messageId}`, attempt: 1, acceptedMs: 4 }], 9);
const reached = (messageId: MessageId) => takeStatuses(second, statuses(messageId, { deliveredMs: 4 }));
const reachedWithOthers = (messageId: MessageId) =>
  second.transaction((tx) => applyStatuses(tx, statuses(messageId, { deliveredMs: 4 })));
const failedAgain = (messageId: MessageId) =>
  takeStatuses(second, statuses(messageId, { failedMs: 4, error: refused, attempt: null }));

async function look(messageId: MessageId) {
  const text = `select m.status, exists (select from send_queue q where q.message_id = m.message_id) as queued
    from outbound_messages m where m.message_id = $1`;
  return (await database.db.run({ name: 'test_look', text }, [messageId])).rows[0];
}

describe('a statement that waits for a message while it is requeued', () => {
  test.each([
    ['the answer to its send', answer],
    ['a status', reached],
    ['a status among other callbacks', reachedWithOthers],
  ])('takes it out of the queue: %s', async (_label, learn) => {
    const id = await claimed();
    await database.db.transaction((tx) => settleOthers(tx, [failure(id)]));
    const [learned] = await database.db.transaction(async (tx) => {
      expect(await requeue(tx, id)).not.toBeNull();
      const waiting = learn(id);
      await untilWaiting(database.db, 1, waiting);
      return [waiting];
    });
    await learned;
    expect(await look(id)).toEqual({ status: 'sent', queued: false });
  });

  test('leaves it in the queue when it repeats the failure', async () => {
    const id = await claimed();
    await answer(id);
    await takeStatuses(second, statuses(id, { failedMs: 4, error: refused }));
    const [learned] = await database.db.transaction(async (tx) => {
      expect(await requeue(tx, id)).not.toBeNull();
      const waiting = failedAgain(id);
      await untilWaiting(database.db, 1, waiting);
      return [waiting];
    });
    await learned;
    expect(await look(id)).toEqual({ status: 'queued', queued: true });
  });
});

/** What changes a message together with its row in the queue. */
const BOTH: Readonly<Record<string, (tx: Transaction, id: MessageId) => Promise<unknown>>> = {
  'the outcome of a send': (tx, id) => settleOthers(tx, [failure(id)]),
  'the end of a send that cannot be stored': (tx, id) =>
    endSend(tx, { tenantId, messageId: id, fromState: 1, epoch: 1, error: unknown, nowMs: 5 }),
  'a cancellation': (tx, id) =>
    cancelQueued(tx, { tenantId, messageId: id, nowMs: 5, error: JSON.stringify(unknown), trace: '[]' }),
};

test.each(Object.entries(BOTH))('%s waits for a message before it holds its row in the queue', async (name, change) => {
  const id = await (name === 'a cancellation' ? accepted() : claimed());
  const hold = (table: string) => ({
    name: `test_${table}`,
    text: `select 1 from ${table} where message_id = $1 for update`,
  });
  const [changed] = await database.db.transaction(async (tx) => {
    await tx.run(hold('outbound_messages'), [id]);
    const waiting = second.transaction((other) => change(other, id));
    await untilWaiting(database.db, 1, waiting);
    await tx.run(hold('send_queue'), [id]);
    return [waiting];
  });
  await changed;
  expect(await look(id)).toEqual({ status: 'failed', queued: false });
});
