import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ContactId, ConversationId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import { readCounts } from '#storage/conversation-counts';
import { findConversation } from '#storage/conversations';
import { readEvents } from '#storage/events';
import { openTestDatabase, type TestDatabase } from '#testing/test-database';
import { TestClock, testRuntime } from '#testing/test-runtime';
import { changeConversation } from './change-conversation.ts';
import { createTenant } from './manage-tenants.ts';
import { placeInbound } from './place-inbound.ts';
import { addUpConversationCounts, wakeConversations } from './tend-conversations.ts';
import { withEvents } from './with-events.ts';

const clock = new TestClock();
const rt = testRuntime({}, clock);
const HOUR = 60 * 60 * 1000;
const phoneNumberId = '7001' as PhoneNumberId;
let database: TestDatabase;
let tenantId: TenantId;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  tenantId = await createTenant(rt, database.db, { name: 'T', onUnknown: 'fail', windowPolicy: 'network' });
});
afterAll(() => database.drop());

async function open(): Promise<ConversationId> {
  const arrival = {
    messageId: rt.newId<MessageId>(),
    type: 'text',
    body: 'Hi',
    networkMs: clock.now(),
    isReferred: false,
  };
  return withEvents(rt, database.db, async (tx, events) => {
    const pair = { tenantId, contactId: rt.newId<ContactId>(), phoneNumberId, arrivals: [arrival] };
    const placing = await placeInbound(rt, tx, events, [pair]);
    await placing.tell();
    const [place] = placing.conversations.values();
    if (place === undefined) throw new Error('The message has no conversation.');
    return place.conversationId;
  });
}

function snooze(conversationId: ConversationId, untilMs: number | null): Promise<unknown> {
  const change = { status: 'snoozed', snoozedUntilMs: untilMs } as const;
  const request = { tenantId, conversationId, actor: { kind: 'key', id: null }, cause: 'api', change } as const;
  return withEvents(rt, database.db, (tx, events) => changeConversation(rt, tx, events, request));
}

const statusOf = async (id: ConversationId) => (await findConversation(database.db, tenantId, id))?.status;

test('a snooze ends at its time and is told once, however many processes look; one without a time does not end', async () => {
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

test('counts that consist of many rows are added up and stay what they were', async () => {
  const id = await open();
  for (let round = 0; round < 130; round++) {
    await snooze(id, null);
    const change = { status: 'open' } as const;
    const request = { tenantId, conversationId: id, actor: { kind: 'key', id: null }, cause: 'api', change } as const;
    await withEvents(rt, database.db, (tx, events) => changeConversation(rt, tx, events, request));
  }
  const before = await readCounts(database.db, tenantId);
  expect(await addUpConversationCounts(rt, database.db)).toBeGreaterThan(500);
  expect((await readCounts(database.db, tenantId)).map((row) => JSON.stringify(row)).toSorted()).toEqual(
    before.map((row) => JSON.stringify(row)).toSorted(),
  );
  expect(await addUpConversationCounts(rt, database.db)).toBe(0);
});
