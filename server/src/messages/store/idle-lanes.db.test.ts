import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { DispatcherId, PhoneNumberId, TenantId } from '#core/ids';
import type { SqlRunner, Statement } from '#database/database';
import { planOf, reached } from '#testing/database/query-plans';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { findDueLanes, findUnknownSends } from './queue-due.ts';
import { findCandidates } from './send-queue.ts';

const rt = testRuntime();
const NOW_MS = 1_700_000_000_000;
const LANES = 3_000;
/** Lanes with a message, all others are at rest. */
const BUSY = 3;
/** Rows of lanes and numbers that a look may read for each busy lane. */
const MOST_ROWS_PER_LANE = 3;
const owner = rt.newId<DispatcherId>();
let database: TestDatabase;
let tenantId: TenantId;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  tenantId = await createTenant(rt, database.db, { name: 'Test', unknownResends: 1, windowPolicy: 'network' });
  const numbers = `select $1::uuid as tenant_id, (7000 + n)::text as phone_number_id from generate_series(1, ${LANES}) n`;
  await run(
    `insert into phone_numbers (tenant_id, phone_number_id, display_phone, created_ms)
    select tenant_id, phone_number_id, '1555' || phone_number_id, 1 from (${numbers}) t`,
    [tenantId],
  );
  await run(
    `insert into lane_owners (tenant_id, lane_id, owner_id, epoch)
    select tenant_id, phone_number_id, $2::uuid, 1 from (${numbers}) t`,
    [tenantId, owner],
  );
  await run(
    `insert into send_queue (tenant_id, message_id, phone_number_id, priority, due_ms, expires_ms, to_phone)
    select tenant_id, gen_random_uuid(), phone_number_id, 1, 1, ${NOW_MS * 2}, '447700900123' from (${numbers}) t limit ${BUSY}`,
    [tenantId],
  );
});
afterAll(() => database.drop());

let statements = 0;
async function run(text: string, parameters: readonly unknown[]): Promise<void> {
  statements += 1;
  await database.db.run({ name: `test_idle_lanes_${statements}`, text }, parameters);
}

/** How many rows of the tables that grow with the numbers a look reads. */
async function rowsRead(look: (runner: SqlRunner) => Promise<unknown>): Promise<number> {
  const asked: { readonly statement: Statement; readonly parameters: readonly unknown[] }[] = [];
  const runner: SqlRunner = {
    run: (statement, parameters) => {
      asked.push({ statement, parameters });
      return database.db.run(statement, parameters);
    },
  };
  await look(runner);
  const plans = await Promise.all(asked.map((one) => planOf(database.db, one.statement.text, one.parameters)));
  return plans
    .flatMap((nodes) => reached(nodes, ['lane_owners', 'phone_numbers']).rows)
    .reduce((sum, rows) => sum + rows, 0);
}

describe.each([
  { statistics: 'without', analyze: false },
  { statistics: 'with', analyze: true },
])(`${LANES} lanes of which ${BUSY} have work, $statistics statistics`, ({ analyze }) => {
  beforeAll(async () => {
    if (analyze) await run('analyze', []);
  });

  test('the poll, and the look for unknown outcomes, read the lanes that have work and no others', async () => {
    expect((await findDueLanes(database.db, owner, NOW_MS)).lanes).toHaveLength(BUSY);
    expect(await rowsRead((runner) => findDueLanes(runner, owner, NOW_MS))).toBeLessThanOrEqual(
      BUSY * MOST_ROWS_PER_LANE,
    );
    const unknown = { owner, overMs: NOW_MS, nowMs: NOW_MS, mayRepeat: true, waitMs: 60_000 };
    expect(await rowsRead((runner) => findUnknownSends(runner, unknown))).toBeLessThanOrEqual(
      BUSY * MOST_ROWS_PER_LANE,
    );
  });

  test('the look at the heads of some lanes reads these and no others', async () => {
    const lanes = Array.from({ length: BUSY }, (_, lane) => ({
      tenantId,
      phoneNumberId: String(7_001 + lane) as PhoneNumberId,
    }));
    const query = { owner, lanes, nowMs: NOW_MS, limit: 100 };
    expect(await findCandidates(database.db, query)).toHaveLength(BUSY);
    expect(await rowsRead((runner) => findCandidates(runner, query))).toBeLessThanOrEqual(BUSY * MOST_ROWS_PER_LANE);
  });
});
