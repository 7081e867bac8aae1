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
/** Rows of one tenant. */
const FILL = [
  `insert into outbound_messages (tenant_id, message_id, type, to_phone, phone_number_id, content, priority, expires_ms, created_ms, updated_ms)
    select $1, md5('m' || n)::uuid, 'text', n::text, '1', '{}', 1, 1, 1, 1 from $numbers n`,
  `insert into inbound_messages (tenant_id, message_id, network_message_id, phone_number_id, sender, from_phone, type, content, contact_id, network_ms, created_ms)
    select $1, md5('i' || n)::uuid, 'n' || n, '1', n::text, n::text, 'text', '{}', md5('p' || n)::uuid, 1, 1 from $numbers n`,
  `insert into send_queue (tenant_id, message_id, phone_number_id, priority, due_ms, expires_ms, to_phone)
    select $1, md5('m' || n)::uuid, '1', 1, 1, 1, n::text from $numbers n`,
  `insert into callback_queue (callback_id) select md5('c' || n)::uuid from $numbers n`,
  `insert into lane_owners (tenant_id, lane_id, owner_id) select $1, n::text, $1 from $numbers n`,
  `insert into event_pages (tenant_id, last_seq, first_seq, recorded_ms, types, message_ids)
    select $1, n, n, 1, '{message.queued}', array[md5('m' || n)::uuid] from $numbers n`,
  `insert into contact_identities (tenant_id, kind, value, contact_id)
    select $1, 'phone', n::text, md5('p' || n)::uuid from $numbers n`,
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

/** How it would reach rows of large tables, planned without its parameters: indexes, and the columns that it knows of each. */
async function wayOf(connection: Connection, { name, text }: Statement): Promise<readonly string[]> {
  await connection.run({ name: '', text: `prepare ${name} as ${text}` }, []);
  const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  const nulls = Array.from({ length: count }, () => 'null').join(', ');
  const steps = await plannedSteps(connection, `execute ${name}(${nulls})`, []);
  const walks = steps.filter((step) => step['Node Type'] === 'Seq Scan' && LARGE.includes(step['Relation Name'] ?? ''));
  const large = steps.flatMap(({ 'Index Name': index = '', 'Index Cond': condition = '' }) => {
    const columns = [...new Set([...condition.matchAll(/\((\w+) (?:=|<|>)/g)].map(([, column]) => column))];
    const way = `${index}: ${columns.join(', ')}`;
    return LARGE.some((table) => index.startsWith(`${table}_`)) ? [way === MESSAGE_OF_NUMBER ? MESSAGE : way] : [];
  });
  await connection.run({ name: '', text: `deallocate ${name}` }, []);
  return [...new Set([...walks.map((step) => `all of ${step['Relation Name']}`), ...large])].toSorted();
}

const MESSAGE = 'outbound_messages_pkey: tenant_id, message_id';
/** Leads to one row as well. */
const MESSAGE_OF_NUMBER = 'outbound_messages_number: tenant_id, phone_number_id, message_id';
const QUEUED = 'send_queue_pkey: tenant_id, message_id';
const OWNER = 'lane_owners_pkey: tenant_id, lane_id';
const WAYS = {
  callback_append: [],
  events_read_pages: ['event_pages_pkey: tenant_id, last_seq', MESSAGE],
  events_read_to_count: ['event_pages_pkey: tenant_id, last_seq', MESSAGE],
  queue_candidates: [OWNER, 'send_queue_lane: tenant_id, phone_number_id, state, priority, due_ms'],
  queue_claim: ['inbound_messages_pkey: tenant_id, message_id', OWNER, MESSAGE, QUEUED],
  rule_queue_claim: [],
  settle_sent: ['contact_identities_pkey: tenant_id, kind, value', MESSAGE, QUEUED],
  take_ordinary_statuses: ['callback_queue_pkey: callback_id', MESSAGE, QUEUED],
};

const TENANT = "'0190a6f2-8c20-7a10-8f00-000000000001'::uuid";
/** For each row another one. */
const TENANTS = "md5('t' || n)::uuid";

async function fill(connection: Connection, from: number, to: number, tenant = TENANT): Promise<void> {
  for (const text of FILL) {
    const filling = text.replace('$numbers', `generate_series(${from}, ${to})`).replaceAll('$1', tenant);
    await connection.run({ name: '', text: filling }, []);
  }
}

async function analyze(connection: Connection): Promise<void> {
  for (const table of LARGE) await connection.run({ name: '', text: `vacuum analyze ${table}` }, []);
}

test.each([
  { statistics: 'without statistics', grow: (connection: Connection) => fill(connection, 1, ROWS) },
  {
    statistics: 'with statistics from when the tables had two rows',
    grow: async (connection: Connection) => {
      await fill(connection, 1, 2);
      await analyze(connection);
      await fill(connection, 3, ROWS);
    },
  },
  {
    statistics: 'with statistics of thousands of small tenants and a large one',
    grow: async (connection: Connection) => {
      await fill(connection, 1, ROWS, TENANTS);
      await fill(connection, ROWS + 1, 2 * ROWS);
      await analyze(connection);
    },
  },
])('hot statements, and the one that reads events, find rows of large tables by whole keys, $statistics', async ({
  grow,
}) => {
  const hot = (await declaredStatements()).filter((one) => one.hot || one.name === 'events_read_pages');
  const ways = await database.db.session(async (connection) => {
    for (const table of LARGE) await connection.run({ name: '', text: `truncate ${table} cascade` }, []);
    await grow(connection);
    await connection.run({ name: '', text: 'set plan_cache_mode = force_generic_plan' }, []);
    const found: Record<string, readonly string[]> = {};
    for (const one of hot) found[one.name] = await wayOf(connection, one);
    return found;
  });
  expect(ways).toEqual(WAYS);
});
