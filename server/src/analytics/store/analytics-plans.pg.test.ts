import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { CONVERSATION_MEASURES } from '#conversations/domain/conversation-tally';
import type { TenantId } from '#core/ids';
import type { Statement } from '#database/database';
import { MESSAGE_MEASURES, QUARTER_MS } from '#events/domain/message-sums';
import { planOf, reached } from '#testing/database/query-plans';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { readBreakdown, readHeatmap, readSeries, readTotals } from './analytics-reads.ts';
import { readConversationBreakdown, readConversationSeries, readHistograms } from './conversation-analytics-reads.ts';

/*
 * Reports of 90 days of a tenant with 20 campaigns and agents, each busy in every quarter of an hour: they are read from days and from
 * the quarters at their edges, before statistics came and after. On the clocks of India midnight is 22 quarters before that of UTC.
 */

const rt = testRuntime();
const DAYS = 90;
const KEYS = 20;
const FIRST = 20_000 * 96;
const INDIA = 22;
const TABLES = [
  'analytics_messages',
  'analytics_message_days',
  'analytics_conversations',
  'analytics_conversation_days',
  'analytics_durations',
];
const period = {
  startMs: (FIRST - INDIA) * QUARTER_MS,
  endMs: (FIRST + DAYS * 96 - INDIA) * QUARTER_MS,
};
const midnights = Array.from({ length: DAYS }, (_, day) => period.startMs + day * 96 * QUARTER_MS);
const all = { dimension: 'all', key: '' } as const;
let database: TestDatabase;
let tenantId: TenantId;

const PLACES = `
  (select 'all' as dimension, '' as key union all select $2, n::text from generate_series(1, ${KEYS}) n) p`;
const fill = (table: string, columns: string, { span, values }: { span: number; values: string }): string => `
insert into ${table} (tenant_id, dimension, key, ${columns})
select $1, p.dimension, p.key, ${values}
from generate_series(${FIRST} - 96, ${FIRST} + ${DAYS + 1} * 96, ${span}) quarter, ${PLACES}`;
const ones = (measures: readonly string[]) => measures.map(() => '1').join(', ');

beforeAll(async () => {
  database = await openTestDatabase(rt);
  for (const table of TABLES) await run(`alter table ${table} set (autovacuum_enabled = false)`, []);
  tenantId = await createTenant(rt, database.db, { name: 'T', unknownResends: 0, windowPolicy: 'network' });
  for (const [quarters, days, measures, dimension] of [
    ['analytics_messages', 'analytics_message_days', MESSAGE_MEASURES, 'campaign'],
    ['analytics_conversations', 'analytics_conversation_days', CONVERSATION_MEASURES, 'agent'],
  ] as const) {
    const [columns, values] = [`quarter, ${measures.join(', ')}`, `quarter, ${ones(measures)}`];
    await run(fill(quarters, columns, { span: 1, values }), [tenantId, dimension]);
    await run(fill(days, columns, { span: 96, values }), [tenantId, dimension]);
  }
  for (const span of [1, 96, 1536]) {
    const values = `quarter / ${span} * ${span}, ${span}`;
    await run(fill('analytics_durations', 'quarter, span', { span, values }), [tenantId, 'agent']);
  }
});
afterAll(() => database.drop());

let statements = 0;

async function run(text: string, parameters: readonly unknown[]): Promise<void> {
  statements += 1;
  await database.db.run({ name: `test_analytics_plan_${statements}`, text }, parameters);
}

type Db = TestDatabase['db'];
const keys = Array.from({ length: KEYS }, (_, n) => String(n + 1));

/** What a report reads at most: a row for each day and key, and those of the quarters at its edges. */
const reports: readonly { name: string; rows: number; read: (db: Db) => Promise<unknown> }[] = [
  { name: 'totals', rows: 91 + 44, read: (db) => readTotals(db, { tenantId, scope: all, period }) },
  {
    name: 'a series by days',
    rows: 90 + 91 * INDIA,
    read: (db) => readSeries(db, { tenantId, scope: all, period }, midnights),
  },
  {
    name: 'a series of conversations by days',
    rows: 90 + 91 * INDIA,
    read: (db) => readConversationSeries(db, { tenantId, scope: all, period }, midnights),
  },
  {
    name: 'a breakdown',
    rows: KEYS * (91 + 44),
    read: (db) => readBreakdown(db, { tenantId, dimension: 'campaign', period, limit: 200 }),
  },
  {
    name: 'a breakdown of conversations',
    rows: KEYS * (91 + 44),
    read: (db) => readConversationBreakdown(db, { tenantId, dimension: 'agent', period, limit: 200 }),
  },
  {
    name: 'histograms of each agent',
    rows: KEYS * (6 + 16 + 44),
    read: (db) => readHistograms(db, { tenantId, dimension: 'agent', keys, period }),
  },
  {
    name: 'hours of the week',
    rows: (DAYS + 3) * 96,
    read: (db) => readHeatmap(db, { tenantId, scope: all }, [{ ...period, offsetMs: INDIA * QUARTER_MS }]),
  },
];

describe.each([
  { statistics: 'without', analyze: false },
  { statistics: 'with', analyze: true },
])('a report of 90 days, $statistics statistics', ({ analyze }) => {
  beforeAll(async () => {
    if (analyze) await run('analyze', []);
  });

  test.each(reports)('reads days and the quarters at its edges: $name', async ({ rows, read }) => {
    const seen: { statement: Statement; parameters: readonly unknown[] }[] = [];
    const listening = {
      run: (statement: Statement, parameters: readonly unknown[]) => {
        seen.push({ statement, parameters });
        return database.db.run(statement, parameters);
      },
    } as Db;
    await read(listening);
    expect(seen).toHaveLength(1);
    for (const { statement, parameters } of seen) {
      const found = reached(await planOf(database.db, statement.text, parameters), TABLES);
      expect(found.walked).toEqual([]);
      expect(found.rows.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(rows);
    }
  });
});
