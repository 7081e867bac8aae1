import { afterAll, beforeAll, expect, test } from 'vitest';
import { declaredStatements } from '#testing/database/declared-statements';
import { planOf, reached } from '#testing/database/query-plans';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';

const ENDPOINTS = 1_000;
const TENANT = '0190a6f2-8c20-7a10-8f00-000000000001';
const OWNER = '0190a6f2-8c20-7a10-8f00-000000000002';
const TABLES = ['lane_owners', 'webhook_lanes', 'webhook_endpoints'];

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(testRuntime());
});
afterAll(() => database.drop());

/** Before any statistics of them were made: that is when a plan goes wrong. */
const FILL = [
  `insert into webhook_endpoints (tenant_id, endpoint_id, url, ordering, secret_sealed, secret_key_id, created_ms, updated_ms)
    select $1, md5('e' || n)::uuid, 'https://example.com/', 'none', '', '', 1, 1 from generate_series(1, ${ENDPOINTS}) n`,
  `insert into webhook_lanes (tenant_id, endpoint_id, taken_seq)
    select $1, md5('e' || n)::uuid, 0 from generate_series(1, ${ENDPOINTS}) n`,
  `insert into lane_owners (tenant_id, lane_id, owner_id)
    select $1, md5('e' || n)::uuid::text, '${OWNER}' from generate_series(1, ${ENDPOINTS}) n`,
];

test('the lanes of a tenant with a thousand endpoints are not compared with each other when they are looked at', async () => {
  const [readBehind] = (await declaredStatements()).filter(({ name }) => name === 'webhook_lane_read_behind');
  const rows = await database.db.session(async (connection) => {
    for (const text of FILL) await connection.run({ name: '', text }, [TENANT]);
    const nodes = await planOf(connection, readBehind?.text ?? '', [OWNER, 1, 1_000]);
    return reached(nodes, TABLES).rows;
  });
  expect(rows).toHaveLength(TABLES.length);
  expect(Math.max(...rows)).toBe(ENDPOINTS);
});
