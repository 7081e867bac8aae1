import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant } from '#access/actions/manage-tenants';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { placeIds } from '#search/domain/portions';
import { facts, kindNumber } from '#search/domain/search-kind';
import { parseQuery } from '#search/domain/search-query';
import type { Way } from '#search/domain/search-ways';
import { prefixOf, tsqueryOf, vectorOf } from '#search/domain/search-words';
import { saveDocuments, savePortions } from '#search/store/search-index';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { collect } from './collect-ids.ts';

const rt = testRuntime();
const COUNT = 2_000;
const PER_PORTION = 100;
let database: TestDatabase;
let db: Database;
let tenantId: TenantId;

const idOf = (n: number) => `0190a6f2-8c20-7a10-8f00-${n.toString(16).padStart(12, '0')}`;

/** Every message says parcel; one in 50 customs, one in 70 a link; the oldest one heron. */
const textOf = (n: number) => `The parcel ${n % 50 === 7 ? 'is at customs' : 'leaves'}${n === 0 ? ' heron' : ''}`;
const factsOf = (n: number) => [facts.any, ...(n % 70 === 3 ? [facts.link] : [])];
const every = Array.from({ length: COUNT }, (_, n) => n).toReversed();

beforeAll(async () => {
  database = await openTestDatabase(rt);
  db = database.db;
  tenantId = await createTenant(rt, db, { name: 'T', unknownResends: 0, windowPolicy: 'network' });
  const { portionOf, changed } = placeIds([], every.map(idOf), 1, PER_PORTION);
  const documents = every.map((n) => {
    const portion = portionOf.get(idOf(n)) ?? 0;
    const words = vectorOf(`${prefixOf(tenantId, 'messages')}${portion}`, textOf(n), factsOf(n));
    return { id: idOf(n), portion, words };
  });
  await db.transaction(async (tx) => {
    await savePortions(tx, tenantId, kindNumber.messages, changed);
    await saveDocuments(tx, tenantId, kindNumber.messages, documents);
  });
});
afterAll(() => database.drop());

const wayOf = (text: string, ...known: readonly string[]): Way => ({
  query: tsqueryOf(parseQuery(text).terms, known),
  conversationIds: null,
  tags: [],
});

/** Reads page after page as somebody does for whom every page is late. @returns the ids, and how many pages there were */
async function pagesOf(ways: readonly Way[], limit: number) {
  const ids: string[] = [];
  let pages = 0;
  for (let beforeId: string | null = null; ; pages += 1) {
    const page = await collect(db, { tenantId, kind: 'messages', ways, limit, beforeId, leftMs: () => 0 });
    ids.push(...page.ids);
    if (page.downTo === null) return { ids, pages: pages + 1 };
    expect(beforeId === null || page.downTo < beforeId).toBe(true);
    beforeId = page.downTo;
  }
}

const idsWhere = (matches: (n: number) => boolean) => every.filter(matches).map(idOf);

test('a search that has no time gets to the end in pages, each further than the one before, and finds each hit once', async () => {
  for (const limit of [3, 50]) {
    expect((await pagesOf([wayOf('customs')], limit)).ids).toEqual(idsWhere((n) => n % 50 === 7));
    expect((await pagesOf([wayOf('heron')], limit)).ids).toEqual([idOf(0)]);
  }
  expect(await pagesOf([wayOf('nonesuch')], 10)).toEqual({ ids: [], pages: 4 });
  expect((await pagesOf([wayOf('parcel')], 50)).ids).toEqual(idsWhere(() => true));
});

test('several ways go down side by side: none is looked through while another is left behind', async () => {
  const ways = [wayOf('customs'), wayOf('parcel', facts.link), wayOf('heron')];
  const either = idsWhere((n) => n % 50 === 7 || n % 70 === 3 || n === 0);
  for (const limit of [3, 50]) expect((await pagesOf(ways, limit)).ids).toEqual(either);
  const { ids, downTo } = await collect(db, { tenantId, kind: 'messages', ways, limit: 1_000 });
  expect({ ids, downTo }).toEqual({ ids: either, downTo: null });
});

test('as many as are wanted are found without a look at anything older', async () => {
  const statements: string[] = [];
  const counted = {
    run: <Row>(statement: { readonly name: string; readonly text: string }, parameters: readonly unknown[]) => {
      statements.push(statement.name);
      return db.run<Row>(statement, parameters);
    },
  };
  const { ids } = await collect(counted, { tenantId, kind: 'messages', ways: [wayOf('customs')], limit: 10 });
  expect(ids).toEqual(idsWhere((n) => n % 50 === 7).slice(0, 10));
  expect(statements).toEqual(['search_message_newest']);
});
