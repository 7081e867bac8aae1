import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { TenantId } from '#core/ids';
import type { Database, SqlRunner } from '#database/database';
import { kindNumber, type SearchKind } from '#search/domain/search-kind';
import { parseQuery } from '#search/domain/search-query';
import { prefixOf, tsqueryOf, vectorOf } from '#search/domain/search-words';
import { type PlanNode, plannedSteps, planOf, reached } from '#testing/database/query-plans';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { type Look, lookAmongNewest, lookInConversations, lookInPortions } from './search-candidates.ts';

/*
 * A look reads the newest entries by their key, portions of the index of words, or a conversation by its index, and never a whole table,
 * whatever the statistics say.
 */

const rt = testRuntime();
const PORTIONS = 4;
const PER_PORTION = 5_000;
const CONVERSATION = '0190a6f2-8c20-7c10-8f00-000000000001';
let database: TestDatabase;
let db: Database;
let tenantId: TenantId;

const ID = "('0190a6f2-8c20-7a10-8f00-' || lpad(to_hex(n), 12, '0'))::uuid";
const KIND = kindNumber.messages;

/** Every message says parcel; one in a thousand, customs. */
const FILL = [
  `insert into search_documents (tenant_id, kind, subject_id, portion, words)
    select $1::uuid, ${KIND}, ${ID}, n / ${PER_PORTION},
      replace(case when n % 1000 = 7 then $3 else $2 end, '~', (n / ${PER_PORTION})::text)::tsvector
    from generate_series(0, ${PORTIONS * PER_PORTION - 1}) n`,
  `insert into search_portions (tenant_id, kind, portion, first_id, last_id, documents)
    select $1::uuid, ${KIND}, p, (select ${ID} from (select p * ${PER_PORTION} as n) f),
      (select ${ID} from (select (p + 1) * ${PER_PORTION} - 1 as n) l), ${PER_PORTION}
    from generate_series(0, ${PORTIONS - 1}) p where $2 <> $3`,
  `insert into inbound_messages (tenant_id, message_id, network_message_id, phone_number_id, sender, from_phone, type, body, content,
      contact_id, conversation_id, network_ms, created_ms)
    select $1::uuid, ${ID}, 'wamid.' || n, '100', '4477', '4477', 'text', 'The parcel is here.', '{}',
      ('0190a6f2-8c20-7f10-8f00-' || lpad(to_hex(n % 500), 12, '0'))::uuid,
      ('0190a6f2-8c20-7c10-8f00-' || lpad(to_hex(n % 500), 12, '0'))::uuid, n, n
    from generate_series(0, ${PORTIONS * PER_PORTION - 1}) n where $2 <> $3`,
];

beforeAll(async () => {
  database = await openTestDatabase(rt);
  db = database.db;
  for (const table of ['search_documents', 'search_portions', 'inbound_messages'])
    await db.run({ name: `test_still_${table}`, text: `alter table ${table} set (autovacuum_enabled = false)` }, []);
  for (const name of ['T', 'Another'])
    tenantId = await createTenant(rt, db, { name, unknownResends: 0, windowPolicy: 'network' });
  const prefix = `${prefixOf(tenantId, 'messages')}~`;
  const texts = [vectorOf(prefix, 'The parcel is here.', []), vectorOf(prefix, 'The parcel is at customs.', [])];
  for (const [index, text] of FILL.entries()) await db.run({ name: `test_fill_${index}`, text }, [tenantId, ...texts]);
});
afterAll(() => database.drop());

const FIRST_IDS = 'select first_id from search_portions where tenant_id = $1 order by first_id desc';

/** How the database would do what `look` asks of it; with planOf, how it did. */
async function planOfLook(
  look: (db: SqlRunner) => Promise<unknown>,
  plan = plannedSteps,
): Promise<readonly PlanNode[]> {
  let nodes: readonly PlanNode[] = [];
  await look({
    run: async <Row>(statement: { readonly text: string }, parameters: readonly unknown[]) => {
      nodes = await plan(db, statement.text, parameters);
      return { rows: [] as Row[], rowCount: 0 };
    },
  });
  return nodes;
}

const lookFor = (text: string, kind: SearchKind = 'messages'): Look => ({
  tenantId,
  query: tsqueryOf(parseQuery(text).terms, []),
  prefix: prefixOf(tenantId, kind),
  beforeId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  fromId: '00000000-0000-0000-0000-000000000000',
  tags: [],
  limit: 20,
});

const documentScans = (nodes: readonly PlanNode[]) =>
  nodes.flatMap((node) => node['Index Name'] ?? []).filter((index) => index.startsWith('search_documents'));
const wholeTables = (nodes: readonly PlanNode[]) =>
  nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? (node['Relation Name'] ?? []) : []));

describe.each([
  { statistics: 'without', analyze: false },
  { statistics: 'with', analyze: true },
])('20,000 messages, $statistics statistics', ({ analyze }) => {
  beforeAll(async () => {
    if (analyze) await db.run({ name: 'test_analyze', text: 'analyze' }, []);
  });

  test.each([
    ['a common word', 'parcel'],
    ['a rare word', 'customs'],
    ['the beginning of a word', 'cus'],
    ['a phrase', '"at customs"'],
    ['two words', 'parcel customs'],
    ['a word of none', 'nonesuch'],
  ])('%s is looked up in the index of words', async (_, text) => {
    for (const tags of [[], ['vip']]) {
      const nodes = await planOfLook((runner) => lookInPortions(runner, 'messages', { ...lookFor(text), tags }, 25));
      expect(documentScans(nodes)).toEqual(['search_documents_words']);
      expect(wholeTables(nodes)).not.toContain('search_documents');
    }
  });

  test('the newest entries are read by their key, and no more of them', async () => {
    const nodes = await planOfLook((runner) => lookAmongNewest(runner, 'messages', lookFor('customs')));
    expect(documentScans(nodes)).toEqual(['search_documents_pkey']);
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Bitmap Heap Scan');
  });

  test('a conversation is read by its own index, and its words by their id', async () => {
    const entries = { conversationIds: [CONVERSATION], count: 4_000 };
    const nodes = await planOfLook((runner) => lookInConversations(runner, 'messages', lookFor('customs'), entries));
    expect(documentScans(nodes)).toEqual(['search_documents_pkey']);
    expect(wholeTables(nodes).filter((table) => /inbound_messages|documents/.test(table))).toEqual([]);
  });
});

const ENDLESS_MS = 1_000_000;
const TOTAL = PORTIONS * PER_PORTION;

test('a look without end finds what is there', async () => {
  const counts = async (text: string) =>
    (await lookInPortions(db, 'messages', { ...lookFor(text), limit: 50_000 }, ENDLESS_MS)).ids.length;
  expect([await counts('parcel'), await counts('cus'), await counts('"at customs"'), await counts('nonesuch')]).toEqual(
    [TOTAL, TOTAL / 1000, TOTAL / 1000, 0],
  );
});

test('a look reads no further portion when it has enough, or when its time is over', async () => {
  const rowsOf = async (text: string, forMs: number) => {
    const nodes = await planOfLook((runner) => lookInPortions(runner, 'messages', lookFor(text), forMs), planOf);
    return reached(nodes, ['search_documents']).rows;
  };
  expect(await rowsOf('parcel', ENDLESS_MS)).toEqual([PER_PORTION]);
  expect(await rowsOf('parcel customs', ENDLESS_MS)).toEqual([4 * 5]);
  expect(await rowsOf('parcel customs', 0)).toEqual([5]);
});

test('a look that ends early says from where on to look further, and one that has seen everything says that', async () => {
  const first = await lookInPortions(db, 'messages', lookFor('nonesuch'), 0);
  const { rows } = await db.run({ name: 'test_portions', text: FIRST_IDS }, [tenantId]);
  const firstIds = rows.map((row) => row.first_id);
  expect(first).toEqual({ ids: [], downTo: firstIds[0] });
  const rest = { ...lookFor('nonesuch'), beforeId: first.downTo ?? '' };
  expect((await lookInPortions(db, 'messages', rest, 0)).downTo).toBe(firstIds[1]);
  expect((await lookInPortions(db, 'messages', rest, ENDLESS_MS)).downTo).toBe(null);
});
