import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import { parseConversationConditions } from '#conversations/actions/conversation-condition';
import type { AgentId, TenantId } from '#core/ids';
import type { Statement } from '#database/database';
import { planOf, reached } from '#testing/database/query-plans';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { type ConversationFilter, conversationPage, conversationSorts } from './conversation-lists.ts';
import { searchPage } from './conversation-search.ts';
import { findClosingWindows, findIdle } from './conversation-times.ts';

/*
 * An inbox of 100,000 conversations: every order and filter of its list, on its first page and behind a cursor, reaches
 * its rows through an index, before statistics came and after. The embedded database has the same planner, and takes a minute
 * to fill its indexes with so much.
 */

const rt = testRuntime();
const ROWS = 100_000;
const TABLES = ['conversations', 'contacts'];
const NOW_MS = 1_700_000_000_000;
/** A page of 50 and what stands between its rows in the index: at most all who wait. */
const MAX_READ = Math.ceil(ROWS / 15);
let database: TestDatabase;
let tenantId: TenantId;

/** Ids that tell what they number. */
const idOf = (kind: string, n: number | string): string =>
  `0190a6f2-000${kind}-7000-8000-${String(n).padStart(12, '0')}`;
const sqlId = (kind: string, n: string): string =>
  `('0190a6f2-000${kind}-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;

const CONTACTS = `
insert into contacts (tenant_id, contact_id, phone, name, created_ms, updated_ms)
select $1, ${sqlId('1', 'n')}, '4477' || lpad(n::text, 8, '0'), 'Customer ' || n, $2, $2 from generate_series(0, ${ROWS - 1}) n`;
const CONVERSATIONS = `
insert into conversations (
  tenant_id, conversation_id, contact_id, phone_number_id, number, status, resolved_ms, assignee_id, team_id, priority, tags,
  waiting_since_ms, unread_count, last_message_ms, last_inbound_ms, window_expires_ms, opened_ms, created_ms, updated_ms)
select $1, ${sqlId('2', 'n')}, ${sqlId('1', 'n')}, (7000 + n % 8)::text, n + 1, s.status,
  case when s.status = 'resolved' then $2::bigint + n end,
  case when n % 3 > 0 then ${sqlId('3', 'n % 200')} end, case when n % 4 > 0 then ${sqlId('4', 'n % 20')} end,
  case when n % 500 = 0 then 'urgent' when n % 100 = 1 then 'high' else 'normal' end,
  case when n % 1000 = 7 then array['vip'] else '{}' end,
  case when s.status = 'open' and n % 3 = 0 then $2::bigint + n end, case when n % 20 = 6 then 1 else 0 end,
  $2::bigint + n, $2::bigint + n, $2::bigint + n + 86400000, $2::bigint + n, $2::bigint + n, $2::bigint + n
from generate_series(0, ${ROWS - 1}) n
cross join lateral (select (array['resolved', 'resolved', 'resolved', 'resolved', 'resolved', 'resolved', 'open', 'open',
  'pending', 'snoozed'])[1 + n % 10] as status) s`;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  for (const table of ['conversations', 'contacts']) {
    await run(`alter table ${table} set (autovacuum_enabled = false)`, []);
  }
  tenantId = await createTenant(rt, database.db, { name: 'T', unknownResends: 0, windowPolicy: 'network' });
  await run(CONTACTS, [tenantId, NOW_MS]);
  await run(CONVERSATIONS, [tenantId, NOW_MS]);
  const numbers = `
    insert into phone_numbers (tenant_id, phone_number_id, display_phone, created_ms, resolve_idle_hours, resolve_idle_waiting)
    select $1, (7000 + n)::text, (7000 + n)::text, $2, 1, n = 0 from generate_series(0, 7) n`;
  await run(numbers, [tenantId, NOW_MS]);
});
afterAll(() => database.drop());

let statements = 0;

async function run(text: string, parameters: readonly unknown[]): Promise<readonly Record<string, unknown>[]> {
  statements += 1;
  return (await database.db.run({ name: `test_plan_${statements}`, text }, parameters)).rows;
}

const filters: Readonly<Record<string, ConversationFilter>> = {
  none: {},
  'status open': { status: 'open' },
  'status resolved': { status: 'resolved' },
  assignee: { assigneeId: idOf('3', 4) },
  'assignee and status': { assigneeId: idOf('3', 7), status: 'open' },
  'assignee none': { assigneeId: null },
  'assignee none and status': { assigneeId: null, status: 'open' },
  team: { teamId: idOf('4', 7) },
  'team and status': { teamId: idOf('4', 7), status: 'open' },
  phone_number_id: { phoneNumberId: '7003' },
  tag: { tag: 'vip' },
  'priority urgent': { priority: 'urgent' },
  'priority normal': { priority: 'normal' },
  waiting: { isWaiting: true },
  'not waiting': { isWaiting: false },
  unread: { isUnread: true },
  'nothing unread': { isUnread: false },
  contact: { contactId: idOf('1', 4_711) },
  q: { search: 'customer 4711' },
  'q by number': { search: '+44 77 0000 4711' },
  'q that many begin with': { search: 'customer' },
  'q that many numbers begin with': { search: '4477' },
  'q that many begin with and status': { search: 'customer', status: 'open' },
  'tag and status': { tag: 'vip', status: 'open' },
  'priority and status': { priority: 'urgent', status: 'open' },
  'waiting and team': { isWaiting: true, teamId: idOf('4', 7) },
  'waiting and assignee': { isWaiting: true, assigneeId: idOf('3', 7) },
  'unread and assignee': { isUnread: true, assigneeId: idOf('3', 7) },
  updated_since: { updatedSinceMs: NOW_MS + ROWS - 40 },
};

/** Conditions of views, as the API takes them. */
const views: Readonly<Record<string, object>> = {
  status: { field: 'conversation.status', value: 'open' },
  'the one who looks': { field: 'conversation.assignee_id', value: 'me' },
  team: { field: 'conversation.team_id', value: idOf('4', 7) },
  tag: { field: 'conversation.tags', match: 'has', value: 'vip' },
  priority: { field: 'conversation.priority', value: 'urgent' },
  'status and team': {
    all: [
      { field: 'conversation.status', value: 'open' },
      { field: 'conversation.team_id', value: idOf('4', 7) },
    ],
  },
  'tag or priority': {
    any: [
      { field: 'conversation.tags', match: 'has', value: 'vip' },
      { field: 'conversation.priority', value: 'urgent' },
    ],
  },
};

const cases = Object.keys(filters).flatMap((name) =>
  conversationSorts.flatMap((sort) => ['the first page', 'a page in the middle'].map((page) => ({ name, sort, page }))),
);

/** A position in the middle of everything. */
const MIDDLE = (NOW_MS + ROWS / 2).toString(16).padStart(16, '0') + idOf('2', ROWS / 2).replaceAll('-', '');

describe.each([
  { statistics: 'without', analyze: false },
  { statistics: 'with', analyze: true },
])('in an inbox of 100,000 conversations, $statistics statistics', ({ analyze }) => {
  beforeAll(async () => {
    if (analyze) await run('analyze', []);
  });

  test.each(cases)('the list by $name in the order of $sort walks an index: $page', async ({ name, sort, page }) => {
    const beforeId = page === 'the first page' ? null : MIDDLE;
    const list = { filter: filters[name] ?? {}, sort, window: { limit: 50, offset: 0, beforeId } };
    const { sql, parameters } = conversationPage(database.db, tenantId, list).compile();
    const found = reached(await planOf(database.db, sql, parameters), TABLES);
    expect([found.walked, found.indexes.length > 0]).toEqual([[], true]);
    if (analyze) expect(Math.max(...found.rows)).toBeLessThanOrEqual(MAX_READ);
  });

  test.each(Object.keys(views))('a view by %s reads its first page through an index', async (name) => {
    const [parsed] = await parseConversationConditions(database.db, tenantId, [{ input: views[name], path: 'when' }]);
    if (!parsed?.ok) throw new Error(`${name} is no condition.`);
    const { condition } = parsed;
    const search = {
      tenantId,
      agentId: idOf('3', 4) as AgentId,
      condition,
      sort: 'last_activity',
      nowMs: NOW_MS,
    } as const;
    const { sql, parameters } = searchPage(database.db, search, { limit: 50, offset: 0, beforeId: null }).compile();
    const found = reached(await planOf(database.db, sql, parameters), TABLES);
    expect([found.walked, found.indexes.length > 0]).toEqual([[], true]);
    if (analyze) expect(Math.max(...found.rows)).toBeLessThanOrEqual(MAX_READ);
  });

  test('what is quiet and which windows close is found by an index, however many there are', async () => {
    const seen: { statement: Statement; parameters: readonly unknown[] }[] = [];
    const runner = {
      run: (statement: Statement, parameters: readonly unknown[]) => {
        seen.push({ statement, parameters });
        return database.db.run(statement, parameters);
      },
    } as typeof database.db;
    const nowMs = NOW_MS + 86_400_000;
    expect(await findIdle(runner, nowMs, 100)).toHaveLength(100);
    expect(await findClosingWindows(runner, { afterMs: nowMs, untilMs: nowMs + 3_600_000, limit: 100 })).toHaveLength(
      100,
    );
    for (const { statement, parameters } of seen) {
      const found = reached(await planOf(database.db, statement.text, parameters), TABLES);
      expect([statement.name, found.walked, Math.max(...found.rows) <= MAX_READ]).toEqual([statement.name, [], true]);
    }
  });
});
