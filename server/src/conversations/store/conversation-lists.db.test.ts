import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { TenantId } from '#core/ids';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { type ConversationFilter, listConversations } from './conversation-lists.ts';

const rt = testRuntime();
const NOW_MS = 1_700_000_000_000;
let database: TestDatabase;
let tenantId: TenantId;
let other: TenantId;
let statements = 0;

async function run(text: string, parameters: readonly unknown[]): Promise<void> {
  statements += 1;
  await database.db.run({ name: `test_list_${statements}`, text }, parameters);
}

async function insertConversation(owner: TenantId, number: number, contact: object): Promise<void> {
  const { name = null, profile = null, phone } = contact as { name?: string; profile?: string; phone: string };
  const contactId = rt.newId();
  await run(
    `insert into contacts (tenant_id, contact_id, phone, name, profile_name, created_ms, updated_ms) values ($1, $2, $3, $4, $5, $6, $6)`,
    [owner, contactId, phone, name, profile, NOW_MS],
  );
  await run(
    `insert into conversations (tenant_id, conversation_id, contact_id, phone_number_id, number, status, last_message_ms,
       last_inbound_ms, window_expires_ms, waiting_since_ms, opened_ms, created_ms, updated_ms)
     values ($1, $2, $3, '7000', $4, 'open', $5, $5, $5, $5, $5, $5, $5)`,
    [owner, rt.newId(), contactId, number, NOW_MS + number],
  );
}

beforeAll(async () => {
  database = await openTestDatabase(rt);
  tenantId = await createTenant(rt, database.db, { name: 'T', unknownResends: 0, windowPolicy: 'network' });
  other = await createTenant(rt, database.db, { name: 'O', unknownResends: 0, windowPolicy: 'network' });
  await insertConversation(tenantId, 1, { name: 'Ada Lovelace', phone: '447700900001' });
  await insertConversation(tenantId, 2, { name: 'Adam Smith', profile: 'Zoe', phone: '447700900002' });
  await insertConversation(tenantId, 3, { profile: 'ADA from work', phone: '4915112345' });
  await insertConversation(tenantId, 4, { name: '100% Cotton', phone: '4915199999' });
  await insertConversation(tenantId, 5, { name: '1000 Islands', phone: '15550001' });
  await insertConversation(other, 1, { name: 'Ada', phone: '447700900001' });
});
afterAll(() => database.drop());

async function found(filter: ConversationFilter, sort: 'last_activity' | 'waiting_since' = 'last_activity') {
  const window = { limit: 50, offset: 0, beforeId: null };
  const { items } = await listConversations(database.db, tenantId, { filter, sort, window });
  return items.map(({ number }) => number);
}

test.each([
  { search: 'ada', expected: [3, 2, 1], why: 'a name, or what the network calls who has none, in any case' },
  { search: 'Ada L', expected: [1], why: 'more of it' },
  { search: 'lovelace', expected: [], why: 'only its beginning' },
  { search: 'zoe', expected: [], why: 'not the name of the network where there is another' },
  { search: '+44 7700 900002', expected: [2], why: 'a number in any spelling' },
  { search: '49151', expected: [4, 3], why: 'the beginning of numbers' },
  { search: '100%', expected: [4], why: 'a name with a character that stands for others in patterns' },
])('conversations are found by $why', async ({ search, expected }) => {
  expect(await found({ search })).toEqual(expected);
  expect(await found({ search }, 'waiting_since')).toEqual(expected.toReversed());
});

test('what is found can be narrowed down', async () => {
  expect(await found({ search: 'ada', isUnread: true })).toEqual([]);
  expect(await found({ search: 'ada', status: 'open', phoneNumberId: '7000' })).toEqual([3, 2, 1]);
});
