import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { addPhoneNumber } from '#accounts/actions/add-number';
import { acquireLanes } from '#accounts/store/lane-owners';
import type { DispatcherId, PhoneNumberId, TenantId } from '#core/ids';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';

import { findCandidates } from './send-queue.ts';

const rt = testRuntime();
const owner = rt.newId<DispatcherId>();
const lane = { phoneNumberId: '7000' as PhoneNumberId, tenantId: '' as TenantId };
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  lane.tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1, windowPolicy: 'network' });
  await addPhoneNumber(rt, database.db, { ...lane, displayPhone: '15550001111', name: null, ratePerSecond: null });
  await acquireLanes(database.db, owner, [{ tenantId: lane.tenantId, laneId: lane.phoneNumberId, epoch: 0 }]);
});
afterAll(() => database.drop());

async function run(text: string, parameters: readonly unknown[] = []): Promise<void> {
  await database.db.run({ name: '', text }, parameters);
}

const QUEUE = `
insert into send_queue (tenant_id, message_id, phone_number_id, priority, due_ms, expires_ms, to_phone)
select $1, gen_random_uuid(), $2, 1, i, 9999999999999, '447700900123' from generate_series(1, $3::int) i`;

/** Sends are queued that become due one after the other, and nothing else. */
async function queue(count: number): Promise<void> {
  await run('delete from send_queue');
  await run(QUEUE, [lane.tenantId, lane.phoneNumberId, count]);
}

/** What the planner believes of a table: its pages and rows. */
type Belief = readonly [pages: number, rows: number];
const BELIEFS: readonly Belief[] = [
  [0, -1],
  [1, 1],
  [1, 2],
  [1, 30],
  [10, 500],
];

async function believe(table: string, [pages, rows]: Belief): Promise<void> {
  await run('update pg_class set relpages = $2, reltuples = $3 where oid = $1::text::regclass', [table, pages, rows]);
}

/** A queue that was long once and is short now: some plans gather the head of a lane first, join it, and turn it around. */
test('the head of a lane comes oldest first, whatever the statistics of the tables', async () => {
  await queue(12_000);
  await queue(20);
  await run('analyze send_queue');
  await queue(40);
  const query = { owner, lanes: [lane], nowMs: 1_000_000, limit: 48 };
  for (const lanes of BELIEFS)
    for (const numbers of BELIEFS) {
      await believe('lane_owners', lanes);
      await believe('phone_numbers', numbers);
      const found = await findCandidates(database.db, query);
      const beliefs = `lanes ${lanes}, numbers ${numbers}`;
      expect(
        found.map(({ dueMs }) => dueMs),
        beliefs,
      ).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    }
});
