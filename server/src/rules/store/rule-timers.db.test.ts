import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { ContactId, ConversationId, MessageId, RuleId, TenantId, TimerId } from '#core/ids';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { claimTimers, findInboundAfter, type RuleTimer, startTimer, takeTimer } from './rule-timers.ts';

const rt = testRuntime();
let database: TestDatabase;
let tenantId: TenantId;

beforeAll(async () => {
  database = await openTestDatabase(rt);
});
beforeEach(async () => {
  tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1 });
});
afterAll(() => database.drop());

const run = (text: string, values: readonly unknown[]) => database.db.run({ name: '', text }, values);
const claim = async (nowMs: number) => {
  const timers = await claimTimers(database.db, { nowMs, untilMs: nowMs + 1_000, limit: 10 });
  return timers.filter((timer) => timer.tenantId === tenantId);
};

async function start(fields: Partial<RuleTimer> = {}, how: 'keep' | 'restart' = 'keep'): Promise<RuleTimer> {
  const ids = { timerId: rt.newId<TimerId>(), ruleId: rt.newId<RuleId>(), contactId: rt.newId<ContactId>() };
  const others = { conversationId: rt.newId<ConversationId>(), messageId: rt.newId<MessageId>() };
  const timer = { tenantId, ...ids, ...others, startedMs: 0, dueMs: 100, ...fields };
  await database.db.transaction((tx) => startTimer(tx, timer, how));
  return timer;
}

test('a timer is claimed once when it is due, and again when its claim is over', async () => {
  const { timerId } = await start();
  expect(await claim(99)).toEqual([]);
  expect(await claim(100)).toMatchObject([{ timerId, dueMs: 1_100 }]);
  expect(await claim(1_099)).toEqual([]);
  expect(await claim(1_100)).toMatchObject([{ timerId, dueMs: 2_100 }]);
});

test('timers of a suspended tenant wait', async () => {
  await start();
  await run("update tenants set state = 'suspended' where tenant_id = $1", [tenantId]);
  expect(await claim(100)).toEqual([]);
});

test('a claimed timer is taken once, and not when it began anew or was claimed again', async () => {
  const first = await start();
  const [claimed] = (await claim(100)) as [RuleTimer];
  // It begins anew, and is due when the claim was to end.
  const again = await start({ ...first, timerId: rt.newId<TimerId>(), dueMs: claimed.dueMs }, 'restart');
  const take = (timer: RuleTimer) => database.db.transaction((tx) => takeTimer(tx, timer));
  expect(await take(claimed)).toBe(false);
  const [second] = (await claim(again.dueMs)) as [RuleTimer];
  expect(await take(again)).toBe(false);
  expect([await take(second), await take(second)]).toEqual([true, false]);
});

test('the message that a timer begins anew with is the first after its own', async () => {
  const timer = await start();
  const ids = [rt.newId<MessageId>(), rt.newId<MessageId>()];
  const text = `insert into inbound_messages (tenant_id, message_id, conversation_id, contact_id, phone_number_id, network_message_id, sender,
    from_phone, type, content, network_ms, created_ms)
    values ($1, $2, $3, $3, '100', gen_random_uuid(), '1', '1', 'text', '{}', 1, 1)`;
  for (const id of ids) await run(text, [tenantId, id, timer.conversationId]);
  const [next, last] = ids as [MessageId, MessageId];
  const after = (messageId: MessageId) => database.db.transaction((tx) => findInboundAfter(tx, timer, messageId));
  expect(await after(timer.messageId)).toMatchObject({ messageId: next });
  expect(await after(next)).toMatchObject({ messageId: last });
});
