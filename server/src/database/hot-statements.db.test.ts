import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { declaredStatements } from '#testing/database/declared-statements';
import { plannedSteps } from '#testing/database/query-plans';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { type Connection, type Statement, statement } from './database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(testRuntime());
  await database.db.openConnections();
});
afterAll(() => database.drop());

interface Plans {
  readonly kept: number;
  readonly made: number;
}

/** Tells how often a statement ran with a kept plan, and how often it was planned for its values; this run included. */
const countPlans = (name: string) => `
  select coalesce(sum(generic_plans), 0)::int as kept, coalesce(sum(custom_plans), 0)::int as made, $1::int
  from pg_prepared_statements where name = '${name}'`;
const HOT = statement('test_hot', { hot: true })`${countPlans('test_hot')}`;
const COLD = statement('test_cold')`${countPlans('test_cold')}`;
const IN_TRANSACTION = statement('test_hot_within', { hot: true })`${countPlans('test_hot_within')}`;

async function plansAfter(times: number, run: (turn: number) => Promise<{ readonly rows: readonly Plans[] }>) {
  let plans: Plans | undefined;
  for (let turn = 0; turn < times; turn += 1) [plans] = (await run(turn)).rows;
  return plans;
}

describe('how a statement is planned', () => {
  test('a hot one keeps its plan, whatever its parameters are, and all others never do', async () => {
    const { db } = database;
    const both = async (turn: number) => {
      await db.run(COLD, [turn]);
      return db.run<Plans>(HOT, [turn]);
    };
    expect(await plansAfter(8, both)).toMatchObject({ made: 0 });
    expect(await plansAfter(1, (turn) => db.run<Plans>(COLD, [turn]))).toMatchObject({ kept: 0 });
  });

  test('a transaction plans each of its statements for its values, also on a connection that kept plans a moment ago', async () => {
    const { db } = database;
    const within = (turn: number) =>
      db.run(HOT, [turn]).then(() => db.transaction((tx) => tx.run<Plans>(IN_TRANSACTION, [turn])));
    expect(await plansAfter(8, within)).toMatchObject({ kept: 0 });
  });

  test('Kysely plans for the values too', async () => {
    const { db } = database;
    await db.run(HOT, [0]);
    const { rows } = await sql`select current_setting('plan_cache_mode') as mode`.execute(db.kysely);
    expect(rows).toEqual([{ mode: 'force_custom_plan' }]);
  });
});

const ROWS = 20_000;
/** Rows of one tenant, before any statistics of them were made. */
const FILL = [
  `insert into outbound_messages (tenant_id, message_id, type, to_phone, phone_number_id, content, priority, expires_ms, created_ms, updated_ms)
    select $1, md5('m' || n)::uuid, 'text', n::text, '1', '{}', 1, 1, 1, 1 from generate_series(1, ${ROWS}) n`,
  `insert into inbound_messages (tenant_id, message_id, network_message_id, phone_number_id, sender, from_phone, type, content, contact_id, network_ms, created_ms)
    select $1, md5('i' || n)::uuid, 'n' || n, '1', n::text, n::text, 'text', '{}', md5('p' || n)::uuid, 1, 1 from generate_series(1, ${ROWS}) n`,
  `insert into send_queue (tenant_id, message_id, phone_number_id, priority, due_ms, expires_ms, to_phone)
    select $1, md5('m' || n)::uuid, '1', 1, 1, 1, n::text from generate_series(1, ${ROWS}) n`,
  `insert into callback_queue (callback_id) select md5('c' || n)::uuid from generate_series(1, ${ROWS}) n`,
  `insert into lane_owners (tenant_id, lane_id, owner_id) select $1, n::text, $1 from generate_series(1, ${ROWS}) n`,
  `insert into event_pages (tenant_id, last_seq, first_seq, recorded_ms, types, message_ids)
    select $1, n, n, 1, '{message.queued}', array[md5('m' || n)::uuid] from generate_series(1, ${ROWS}) n`,
  `insert into contact_identities (tenant_id, kind, value, contact_id)
    select $1, 'phone', n::text, md5('p' || n)::uuid from generate_series(1, ${ROWS}) n`,
];
const LARGE = [
  'outbound_messages',
  'inbound_messages',
  'send_queue',
  'lane_owners',
  'callback_queue',
  'event_pages',
  'contact_identities',
];

/** How it would reach rows of large tables, planned without its parameters. */
async function wayOf(connection: Connection, { name, text }: Statement): Promise<readonly string[]> {
  await connection.run({ name: '', text: `prepare ${name} as ${text}` }, []);
  const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  const nulls = Array.from({ length: count }, () => 'null').join(', ');
  const steps = await plannedSteps(connection, `execute ${name}(${nulls})`, []);
  const walks = steps.filter((step) => step['Node Type'] === 'Seq Scan' && LARGE.includes(step['Relation Name'] ?? ''));
  const indexes = steps.flatMap((step) => step['Index Name'] ?? []);
  const large = indexes.filter((index) => LARGE.some((table) => index.startsWith(`${table}_`)));
  return [...new Set([...walks.map((step) => `all of ${step['Relation Name']}`), ...large])].toSorted();
}

test('every hot statement finds rows of large tables by what names them, before any statistics are there', async () => {
  const hot = (await declaredStatements()).filter((one) => one.hot);
  const ways = await database.db.session(async (connection) => {
    const tenantId = '0190a6f2-8c20-7a10-8f00-000000000001';
    for (const text of FILL) await connection.run({ name: '', text }, text.includes('$1') ? [tenantId] : []);
    await connection.run({ name: '', text: 'set plan_cache_mode = force_generic_plan' }, []);
    const found: Record<string, readonly string[]> = {};
    for (const one of hot) found[one.name] = await wayOf(connection, one);
    return found;
  });
  expect(ways).toEqual({
    callback_append: [],
    events_read_to_count: ['event_pages_pkey', 'outbound_messages_pkey'],
    queue_candidates: ['lane_owners_pkey', 'send_queue_lane'],
    queue_claim: ['inbound_messages_pkey', 'lane_owners_pkey', 'outbound_messages_pkey', 'send_queue_pkey'],
    rule_queue_claim: [],
    settle_sent: ['contact_identities_pkey', 'outbound_messages_pkey', 'send_queue_pkey'],
    take_ordinary_statuses: ['callback_queue_pkey', 'outbound_messages_pkey', 'send_queue_pkey'],
  });
});
