import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TenantId } from '#core/ids';
import type { Statement } from '#database/database';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { placeFence, removeFence } from './fence-tenant.ts';

const TENANT = '01920000-0000-7000-8000-000000000001' as TenantId;
const TABLE = 'outbound_messages';

let made: TestDatabase;
beforeAll(async () => {
  made = await openTestDatabase(testRuntime());
});
afterAll(() => made.drop());

const plain = (text: string): Statement => ({ name: '', text });
/** A statement that has waited for a lock for longer than it takes until a vacuum gives way. */
const WAITS_LONG = plain(`
select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
and clock_timestamp() - query_start > (select (setting || 'ms')::interval from pg_settings where name = 'deadlock_timeout')`);
const TRIGGERS = plain(`select 1 from pg_trigger where tgrelid = '${TABLE}'::regclass and tgname like 'fence_%'`);

test.each([
  ['put up', placeFence, 2],
  ['taken away', removeFence, 0],
] as const)('a fence is %s while a vacuum goes on: it waits until PostgreSQL makes that give way', async (_, change, triggers) => {
  const { db } = made;
  let isOver = false;
  const changed = await db.transaction(async (tx) => {
    // As a vacuum does.
    await tx.run(plain(`lock table ${TABLE} in share update exclusive mode`), []);
    const changing = change(db, TENANT, [TABLE]).finally(() => {
      isOver = true;
    });
    while (!isOver && (await db.run(WAITS_LONG, [])).rowCount === 0);
    return { changing };
  });
  await changed.changing;
  expect((await db.run(TRIGGERS, [])).rowCount).toBe(triggers);
});
