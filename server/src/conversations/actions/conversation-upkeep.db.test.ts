import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { OPERATOR } from '#access/domain/audit';
import { addPhoneNumber } from '#accounts/actions/add-number';
import { changeNumber } from '#accounts/actions/manage-numbers';
import { readCounts } from '#conversations/store/conversation-counts';
import { findConversation } from '#conversations/store/conversations';
import type { ContactId, ConversationId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import { readEvents } from '#events/store/events';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { addInboundMessages } from './add-inbound.ts';
import { updateConversation } from './change-conversation.ts';
import { addUpConversationCounts, emitClosingWindows, resolveIdle, wakeConversations } from './conversation-upkeep.ts';

const clock = new TestClock();
const rt = testRuntime({}, clock);
const HOUR = 60 * 60 * 1000;
const phoneNumberId = '7001' as PhoneNumberId;
let database: TestDatabase;
let tenantId: TenantId;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  tenantId = await createTenant(rt, database.db, { name: 'T', unknownResends: 0, windowPolicy: 'network' });
});
afterAll(() => database.drop());

async function open({ contactId = rt.newId<ContactId>(), on = phoneNumberId } = {}): Promise<ConversationId> {
  const arrival = {
    messageId: rt.newId<MessageId>(),
    type: 'text',
    body: 'Hi',
    networkMs: clock.now(),
    isReferred: false,
    opensWindow: true,
    waits: true,
    summary: null,
  };
  return withEvents(rt, database.db, async (tx, events) => {
    const pair = { tenantId, contactId, phoneNumberId: on, arrivals: [arrival] };
    const placing = await addInboundMessages(rt, tx, events, [pair]);
    await placing.emit();
    const [place] = placing.conversations.values();
    if (place === undefined) throw new Error('The message has no conversation.');
    return place.conversationId;
  });
}

function snooze(conversationId: ConversationId, untilMs: number | null): Promise<unknown> {
  const change = { status: 'snoozed', snoozedUntilMs: untilMs } as const;
  const request = { tenantId, conversationId, actor: { kind: 'key', id: null }, cause: 'api', change } as const;
  return withEvents(rt, database.db, (tx, events) => updateConversation(rt, tx, events, request));
}

const statusOf = async (id: ConversationId) => (await findConversation(database.db, tenantId, id))?.status;

test('a snooze ends at its time with one event, however many processes run; one without a time does not end', async () => {
  const [due, endless, later] = [await open(), await open(), await open()];
  await snooze(due, clock.now() + HOUR);
  await snooze(endless, null);
  await snooze(later, clock.now() + 2 * HOUR);
  clock.advance(HOUR - 1);
  expect(await wakeConversations(rt, database.db)).toBe(0);
  clock.advance(1);
  const woken = await Promise.all([1, 2, 3].map(() => wakeConversations(rt, database.db)));
  expect(woken.toSorted()).toEqual([0, 0, 1]);
  expect([await statusOf(due), await statusOf(endless), await statusOf(later)]).toEqual(['open', 'snoozed', 'snoozed']);
  const events = await readEvents(database.db, { tenantId, after: 0, types: ['conversation.updated'], limit: 100 });
  expect(events.map(({ data }) => [data.id, data.cause, data.changes])).toEqual([
    [due, 'snooze_over', { status: ['snoozed', 'open'], snoozed_until: [new Date(clock.now()).toISOString(), null] }],
  ]);
});

async function eventsOf(conversationId: ConversationId): Promise<readonly string[]> {
  const all = await readEvents(database.db, { tenantId, after: 0, types: null, limit: 1_000 });
  return all.filter(({ data }) => data.id === conversationId).map(({ type }) => type);
}

const PROCESSES = 3;

/** Several concurrent processes. @returns how many changes all of them made */
async function everywhere(step: () => Promise<number>): Promise<number> {
  return (await Promise.all(Array.from({ length: PROCESSES }, step))).reduce((sum, one) => sum + one, 0);
}

/** A process that is killed between its last statement and its commit with the events. */
function dyingAtCommit(): Database {
  const { db } = database;
  const transaction: Database['transaction'] = (work) =>
    db.transaction(async (tx) => {
      await work(tx);
      throw new Error('The process is dead.');
    });
  return { ...db, kind: db.kind, run: (statement, values) => db.run(statement, values), transaction };
}

test('a closing window is announced once within the hour, by several processes and after a kill; a message begins another window', async () => {
  // Windows of the tests before are over by then.
  clock.advance(24 * HOUR);
  const contactId = rt.newId<ContactId>();
  const conversationId = await open({ contactId });
  const emit = () => everywhere(() => emitClosingWindows(rt, database.db));
  const emitted = async () =>
    (await eventsOf(conversationId)).filter((type) => type === 'conversation.window_closing').length;
  clock.advance(23 * HOUR - 1);
  expect([await emit(), await emitted()]).toEqual([0, 0]);
  clock.advance(1);
  await expect(emitClosingWindows(rt, dyingAtCommit())).rejects.toThrow('dead');
  expect([await emit(), await emit(), await emitted()]).toEqual([1, 0, 1]);
  await open({ contactId });
  expect([await emit(), await emitted()]).toEqual([0, 1]);
  clock.advance(23 * HOUR);
  expect([await emit(), await emitted()]).toEqual([1, 2]);
  clock.advance(HOUR);
  expect(await emit()).toBe(0);
});

test('a quiet conversation is resolved after the hours of its number, once, unless the customer waits, it is snoozed or its number has no such rule', async () => {
  const own = '7002' as PhoneNumberId;
  const number = { tenantId, phoneNumberId: own, displayPhone: '442070000002', name: null, ratePerSecond: null };
  await addPhoneNumber(rt, database.db, number);
  const rule = (fields: object) =>
    changeNumber(rt, database.db, { tenantId, phoneNumberId: own, origin: OPERATOR, versions: null }, fields);
  const [quiet, waiting, asleep] = [await open({ on: own }), await open({ on: own }), await open({ on: own })];
  const elsewhere = await open();
  const answered = 'update conversations set waiting_since_ms = null where tenant_id = $1 and conversation_id <> $2';
  await database.db.run({ name: 'test_answered', text: answered }, [tenantId, waiting]);
  await snooze(asleep, clock.now() + 100 * HOUR);
  const step = () => everywhere(() => resolveIdle(rt, database.db));
  clock.advance(72 * HOUR - 1);
  expect(await step()).toBe(0);
  await rule({ resolveIdleHours: 72 });
  expect(await step()).toBe(0);
  clock.advance(1);
  await expect(resolveIdle(rt, dyingAtCommit())).rejects.toThrow('dead');
  expect([await step(), await step()]).toEqual([1, 0]);
  const statuses = () => Promise.all([quiet, waiting, asleep, elsewhere].map(statusOf));
  expect(await statuses()).toEqual(['resolved', 'open', 'snoozed', 'open']);
  expect((await eventsOf(quiet)).filter((type) => type === 'conversation.resolved')).toHaveLength(1);
  await rule({ resolveIdleWaiting: true });
  expect([await step(), await statuses()]).toEqual([1, ['resolved', 'resolved', 'snoozed', 'open']]);
});

test('counts that consist of many rows are added up and stay what they were', async () => {
  const id = await open();
  for (let round = 0; round < 130; round++) {
    await snooze(id, null);
    const change = { status: 'open' } as const;
    const request = { tenantId, conversationId: id, actor: { kind: 'key', id: null }, cause: 'api', change } as const;
    await withEvents(rt, database.db, (tx, events) => updateConversation(rt, tx, events, request));
  }
  const before = await readCounts(database.db, tenantId);
  expect(await addUpConversationCounts(rt, database.db)).toBeGreaterThan(500);
  expect((await readCounts(database.db, tenantId)).map((row) => JSON.stringify(row)).toSorted()).toEqual(
    before.map((row) => JSON.stringify(row)).toSorted(),
  );
  expect(await addUpConversationCounts(rt, database.db)).toBe(0);
});
