import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertTenant } from '#access/store/tenants';
import { insertPhoneNumber } from '#accounts/store/phone-numbers';
import type { CallbackId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { queueState } from '#core/queue-state';
import type { DeliveryError, OutboundMessage } from '#messages/domain/message';
import type { Runtime } from '#runtime/runtime';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { insertAcceptedBatch } from './accept-batch.ts';
import { listDeadLetters, requeueDeadLetter } from './dead-letters.ts';
import { endSend } from './end-send.ts';
import { findMessage } from './message-reads.ts';
import { type Settlement, settleOthers, settleSent } from './settle-batch.ts';
import { parkStatuses, takeStatuses, unparkStatuses } from './status-batch.ts';
import type { StatusRow } from './status-rows.ts';

/* What a status means when the message has had more than one attempt: the row itself, statement by statement. */

const rt: Runtime = testRuntime();
const tenantId = rt.newId<TenantId>();
const phoneNumberId = '700' as PhoneNumberId;
const error: DeliveryError = { code: 'recipient_unreachable', message: 'x', networkCode: 131026, retryable: false };
const unknownError: DeliveryError = { code: 'delivery_unknown', message: 'x', networkCode: null, retryable: true };
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  await insertTenant(database.db, { tenantId, name: 'T', unknownResends: 1, windowPolicy: 'network', createdMs: 0 });
  const number = {
    tenantId,
    phoneNumberId,
    displayPhone: '15550001111',
    name: null,
    ratePerSecond: null,
    createdMs: 0,
  };
  await database.db.transaction((tx) => insertPhoneNumber(tx, number));
});
afterAll(() => database.drop());

/** A message of its own with the moves of its life. */
async function makeMessage() {
  const { db } = database;
  const messageId = rt.newId<MessageId>();
  const content = { type: 'text', body: 'x', previewUrl: false } as const;
  const empty = { campaignName: null, clientRef: null, replyTo: null, resendOf: null, author: null, sendAtMs: null };
  const message = {
    tenantId,
    messageId,
    content,
    to: '15550002222',
    phoneNumberId,
    ...empty,
    priority: 'normal',
  } as const;
  await insertAcceptedBatch(db, [{ idempotency: null, message: { ...message, expiresMs: 9e12, createdMs: 1 } }]);
  const claimText = 'update send_queue set state = 1, epoch = 1, attempts = attempts + 1 where message_id = $1';
  const nothing = { sentMs: null, deliveredMs: null, readMs: null, failedMs: null, error: null, pricing: null };
  return {
    claim: () => db.run({ name: 'test_claim', text: claimText }, [messageId]),
    settle: (settlement: Settlement, attempt: number, fromState: 1 | 2 = 1) => {
      const trace = { atMs: 5, event: 'test', detail: 'x' };
      const epoch = fromState === 1 ? 1 : null;
      const row = { tenantId, messageId, epoch, fromState, attempt, nowMs: 5, settlement, trace };
      return db.transaction((tx) => settleOthers(tx, [row]));
    },
    status: (change: Partial<StatusRow>) => {
      const row: StatusRow = {
        tenantId,
        messageId,
        phoneNumberId,
        networkMessageId: 'w1',
        attempt: 1,
        ...nothing,
        ...change,
      };
      return takeStatuses(db, { rows: [row], nowMs: 9, reconciledTrace: '[]', batchId: rt.newId() });
    },
    sent: (networkMessageId = 'w1', acceptedMs = 4) => {
      return settleSent(db, [{ tenantId, messageId, networkMessageId, attempt: 1, acceptedMs }], 9);
    },
    end: (epoch: number) => endSend(db, { tenantId, messageId, fromState: 1, epoch, error: unknownError, nowMs: 5 }),
    row: async () => {
      const text = `select m.status, m.network_message_id, m.accepted_ms, m.sent_ms, m.failed_ms, q.state, q.epoch
        from outbound_messages m left join send_queue q on q.message_id = m.message_id where m.message_id = $1`;
      return (await db.run({ name: 'test_row', text }, [messageId])).rows[0];
    },
    /** As after its process has stopped: nobody knows whether it was sent. */
    orphan: () =>
      db.run(
        { name: 'test_orphan', text: `update send_queue set state = ${queueState.unknown} where message_id = $1` },
        [messageId],
      ),
    requeue: () => requeueDeadLetter(db, { tenantId, messageId, nowMs: 100, trace: '[]' }),
    letter: async () => {
      const letters = await listDeadLetters(db, tenantId, 1000);
      return letters.flatMap((letter) => (letter.messageId === messageId ? [[letter.code, letter.deadMs]] : []));
    },
    look: async () => {
      const found = (await findMessage(db, tenantId, messageId)) as OutboundMessage;
      const queue = await db.run<{ attempts: number }>(
        { name: 'test_queue', text: 'select attempts from send_queue where message_id = $1' },
        [messageId],
      );
      return { status: found.status, state: found.delivery.state, queued: queue.rowCount === 1 };
    },
  };
}

const again = { kind: 'again', dueMs: 7, possibleDuplicate: true, uncounted: false } as const;

/** Attempt 1 ended unknown and waited in vain: attempt 2 is in flight. */
async function inSecondAttempt() {
  const message = await makeMessage();
  await message.claim();
  await message.settle({ kind: 'unknown', dueMs: 6 }, 1);
  await message.settle(again, 0, 2);
  await message.claim();
  return message;
}

describe('statuses of a message with several attempts', () => {
  test('a requeued message stays queued when the failure it was requeued after is reported again', async () => {
    const message = await makeMessage();
    await message.claim();
    await message.status({ sentMs: 2 });
    await message.status({ failedMs: 3, error });
    expect(await message.look()).toEqual({ status: 'failed', state: 'failed', queued: false });
    await message.requeue();
    await message.status({ sentMs: 2 });
    await message.status({ failedMs: 3, error });
    await message.status({ sentMs: 2, failedMs: 3, error });
    expect(await message.look()).toEqual({ status: 'queued', state: 'pending', queued: true });
  });

  test('a late failure of an older attempt leaves a message that waits for its next attempt in the queue', async () => {
    const message = await inSecondAttempt();
    await message.settle({ ...again, possibleDuplicate: false }, 2);
    await message.status({ failedMs: 3, error });
    expect(await message.look()).toEqual({ status: 'queued', state: 'pending', queued: true });
  });

  test('a late failure of an older attempt does not fail the attempt in flight, which can still be delivered', async () => {
    const message = await inSecondAttempt();
    await message.status({ failedMs: 3, error });
    expect(await message.look()).toEqual({ status: 'sending', state: 'pending', queued: true });
    await message.status({ attempt: 2, networkMessageId: 'w2', sentMs: 4, deliveredMs: 5 });
    expect(await message.look()).toEqual({ status: 'sent', state: 'delivered', queued: false });
  });

  test('a failure of the newest attempt fails the message, also before the answer to the send was settled', async () => {
    const message = await makeMessage();
    await message.claim();
    await message.status({ failedMs: 3, error });
    expect(await message.look()).toEqual({ status: 'failed', state: 'failed', queued: false });
  });

  test('any word that the network has the message takes it out of the queue, so that it is not sent again', async () => {
    const message = await inSecondAttempt();
    await message.status({ sentMs: 4 });
    expect(await message.look()).toEqual({ status: 'sent', state: 'sent', queued: false });
  });

  test('a failure that was only concluded here yields to the word of the network', async () => {
    const message = await makeMessage();
    await message.claim();
    await message.settle({ kind: 'unknown', dueMs: 6 }, 1);
    await message.settle({ kind: 'failed', error: unknownError }, 0, 2);
    expect(await message.look()).toEqual({ status: 'failed', state: 'failed', queued: false });
    await message.status({ sentMs: 4, deliveredMs: 5 });
    expect(await message.look()).toEqual({ status: 'sent', state: 'delivered', queued: false });
  });

  test('a dead letter says why the message failed last: after a revival, and when the network says it after us', async () => {
    const message = await makeMessage();
    await message.claim();
    await message.settle({ kind: 'unknown', dueMs: 6 }, 1);
    await message.settle({ kind: 'failed', error: unknownError }, 0, 2);
    expect(await message.letter()).toEqual([['delivery_unknown', 5]]);
    await message.status({ sentMs: 4 });
    expect(await message.letter()).toEqual([]);
    await message.status({ failedMs: 6, error });
    expect(await message.letter()).toEqual([['recipient_unreachable', 9]]);
    const concluded = await makeMessage();
    await concluded.claim();
    await concluded.settle({ kind: 'failed', error: unknownError }, 1);
    await concluded.status({ failedMs: 6, error });
    expect(await concluded.letter()).toEqual([['recipient_unreachable', 9]]);
    await concluded.status({ failedMs: 6, error: unknownError });
    expect(await concluded.letter()).toEqual([['recipient_unreachable', 9]]);
  });

  test('a message that is requeued after an attempt of which nothing was learned stays queued when that one fails late', async () => {
    const message = await makeMessage();
    await message.claim();
    await message.orphan();
    await message.settle({ kind: 'failed', error: unknownError }, 0, queueState.unknown);
    await message.requeue();
    await message.status({ failedMs: 3, error });
    expect(await message.look()).toEqual({ status: 'queued', state: 'pending', queued: true });
  });
});

describe('what is settled', () => {
  test('keeps the first answer of the network: of a second send the id is reported, and nothing else changes', async () => {
    const message = await makeMessage();
    await message.claim();
    await message.sent('w1', 4);
    const { twice } = await message.sent('w2', 3);
    expect(twice).toMatchObject([{ networkMessageId: 'w2' }]);
    expect(await message.row()).toMatchObject({ status: 'sent', network_message_id: 'w1', accepted_ms: 4 });
  });

  test('stays failed when the answer comes after the status that said so', async () => {
    const message = await makeMessage();
    await message.claim();
    await message.status({ failedMs: 3, error });
    await message.sent();
    expect(await message.row()).toMatchObject({ status: 'failed', network_message_id: 'w1', state: null });
  });

  test('belongs to nobody while it waits for another attempt', async () => {
    const message = await makeMessage();
    await message.claim();
    await message.settle(again, 1);
    expect(await message.row()).toMatchObject({ status: 'queued', state: 0, epoch: null });
  });

  test('is what its owner says: outcomes of an earlier epoch change nothing', async () => {
    const message = await makeMessage();
    await message.claim();
    await database.db.run({ name: 'test_own', text: 'update send_queue set epoch = 2 where epoch = 1' }, []);
    await message.settle({ kind: 'failed', error: unknownError }, 1);
    await message.settle(again, 1);
    await message.end(1);
    expect(await message.row()).toMatchObject({ status: 'queued', state: 1, epoch: 2, failed_ms: null });
    await message.end(2);
    expect(await message.row()).toMatchObject({ status: 'failed', state: null, failed_ms: 5 });
  });

  test('stays sent when its row in the queue was left behind', async () => {
    const message = await makeMessage();
    await message.claim();
    const text = `update outbound_messages set status = 'sent', accepted_ms = 4
      where message_id in (select message_id from send_queue where state = 1)`;
    await database.db.run({ name: 'test_sent', text }, []);
    expect(await message.settle({ kind: 'failed', error: unknownError }, 1)).toEqual([]);
    expect(await message.row()).toMatchObject({ status: 'sent', failed_ms: null, state: null });
  });

  test('stays failed for a reason of the network, whatever is said of it later', async () => {
    const message = await makeMessage();
    await message.claim();
    await message.settle({ kind: 'failed', error }, 1);
    await message.status({ deliveredMs: 4 });
    expect(await message.row()).toMatchObject({ status: 'failed', failed_ms: 5 });
  });
});

test('a time that statuses give keeps its earliest value', async () => {
  const message = await makeMessage();
  await message.claim();
  for (const sentMs of [5, 3, 4]) await message.status({ sentMs });
  expect(await message.row()).toMatchObject({ sent_ms: 3 });
});

test('callbacks stay in the queue when one of their messages is not there', async () => {
  const { db } = database;
  const callbackId = rt.newId<CallbackId>();
  await db.run({ name: 'test_queue_callback', text: 'insert into callback_queue (callback_id) values ($1)' }, [
    callbackId,
  ]);
  const ids = { tenantId, messageId: rt.newId<MessageId>(), phoneNumberId, networkMessageId: 'w1', attempt: 1 };
  const row = { ...ids, sentMs: 1, deliveredMs: null, readMs: null, failedMs: null, error: null, pricing: null };
  const batch = { rows: [row], nowMs: 9, reconciledTrace: '[]', batchId: rt.newId(), doneCallbacks: [callbackId] };
  expect((await takeStatuses(db, batch)).missing).toEqual(new Set([ids.messageId]));
  const text = 'select 1 from callback_queue where callback_id = $1';
  expect((await db.run({ name: 'test_callback', text }, [callbackId])).rowCount).toBe(1);
});

test('a status that was parked for too long stays parked', async () => {
  const { db } = database;
  const message = await makeMessage();
  await message.claim();
  await message.sent('w-parked');
  const rows = [{ tenantId, networkMessageId: 'w-parked', status: 'read', recipient: '15550002222', item: '{}' }];
  await db.transaction((tx) => parkStatuses(tx, rows, 50));
  expect(await db.transaction((tx) => unparkStatuses(tx, 51))).toEqual([]);
  expect(await db.transaction((tx) => unparkStatuses(tx, 50))).toEqual([{ tenantId, item: {} }]);
});
