import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { CallbackId } from '#core/ids';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { appendCallbacks, findQueuedCallbacks, replayCallbacks, takeCallbacks } from './callbacks.ts';

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const AT_MS = 1_700_000_000_000;
const rt = testRuntime();
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(rt);
});
afterEach(async () => {
  for (const table of ['callback_queue', 'callbacks']) await run(`delete from ${table}`);
});
afterAll(() => database.drop());

async function run<Row>(text: string): Promise<readonly Row[]> {
  return (await database.db.run<Row>({ name: '', text }, [])).rows;
}

function append(bodies: readonly (Buffer | string)[]): Promise<readonly CallbackId[]> {
  const callbacks = bodies.map((body) => ({ receivedMs: AT_MS, body: Buffer.from(body) }));
  return appendCallbacks(database.db, rt.newId, callbacks);
}

/** Id and body of all that wait, read in portions. */
async function waiting(portion = 1_000): Promise<readonly (readonly [string, string])[]> {
  const found: (readonly [string, string])[] = [];
  for (let after = FIRST_ID; ; ) {
    const rows = await findQueuedCallbacks(database.db, after, portion);
    found.push(...rows.map(({ callbackId, body }) => [callbackId, body] as const));
    const last = rows.at(-1);
    if (last === undefined) return found;
    after = last.callbackId;
  }
}

async function rowsHeld(): Promise<number> {
  return (await run('select 1 from callbacks')).length;
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `{"n":${index}}`);

test('callbacks that are stored together share a row, and each is read back by its own id, in the order in which they came', async () => {
  const bodies = numbered(64);
  const ids = await append(bodies);
  expect(await rowsHeld()).toBe(1);
  expect(ids.toSorted()).toEqual(ids);
  expect(await waiting(7)).toEqual(ids.map((id, index) => [id, bodies[index]]));
});

test('the ids of a page are below those of the next one', async () => {
  const ids = [...(await append(numbered(3))), ...(await append(numbered(3)))];
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(6);
});

test('a page ends before it has more callbacks than a byte counts, and before it is large', async () => {
  await append(numbered(600));
  expect(await rowsHeld()).toBe(3);
  const large = 'x'.repeat(100_000);
  const ids = await append([large, large, '{}']);
  expect(await rowsHeld()).toBe(5);
  expect((await waiting()).slice(-3)).toEqual(ids.map((id, index) => [id, index < 2 ? large : '{}']));
});

test('a body that is not valid text is stored byte for byte, in the same batch as bodies that are', async () => {
  const bytes = Buffer.from([0x7b, 0xff, 0x00, 0x7d]);
  await append(['{"a":"é"}', bytes, '{"b":"NULL"}', 'NULL', '', '{"c":"\\"}, ,"}']);
  const shown = ['{"a":"é"}', bytes.toString('utf8'), '{"b":"NULL"}', 'NULL', '', '{"c":"\\"}, ,"}'];
  expect((await waiting()).map(([, body]) => body)).toEqual(shown);
  const kept = await run<{ body: string }>('select unnest(bodies) as body from callbacks where is_base64');
  expect(kept.map(({ body }) => Buffer.from(body, 'base64'))).toEqual([bytes]);
});

test('a page of many callbacks takes a small part of the room of their text', async () => {
  const body = (index: number) => JSON.stringify({ entry: index, text: 'the same in every callback '.repeat(30) });
  await append(Array.from({ length: 64 }, (_, index) => body(index)));
  const [page] = await run<{ stored: number; whole: number }>(
    "select pg_column_size(bodies) as stored, length(array_to_string(bodies, '')) as whole from callbacks",
  );
  expect(page?.whole).toBeGreaterThan(50_000);
  expect(page?.stored).toBeLessThan((page?.whole ?? 0) / 4);
});

test('a callback that is taken leaves the others of its page waiting', async () => {
  const [first, second, third] = (await append(numbered(3))) as [CallbackId, CallbackId, CallbackId];
  const taken = await database.db.transaction((tx) => takeCallbacks(tx, [second]));
  expect([...taken]).toEqual([second]);
  expect((await waiting()).map(([id]) => id)).toEqual([first, third]);
});

test('rows of the version before, one for each callback, are read and replayed beside pages', async () => {
  const old = ['018bcfe5-6800-7000-8000-0000000000ff', '018bcfe5-6800-7000-8000-000000000100'];
  await run(
    `insert into callbacks (callback_id, received_ms, body) select id, ${AT_MS}, 'old ' || id from unnest(array['${old.join("', '")}']::uuid[]) id`,
  );
  await run('insert into callback_queue (callback_id) select callback_id from callbacks');
  const ids = await append(numbered(3));
  const all = [...old.map((id) => [id, `old ${id}`]), ...ids.map((id, index) => [id, numbered(3)[index]])];
  expect(await waiting()).toEqual(all);
  await run('delete from callback_queue');
  expect(await replayCallbacks(database.db, { fromMs: AT_MS, toMs: AT_MS + 1, leftover: null })).toBe(5);
  expect(await waiting()).toEqual(all);
});
