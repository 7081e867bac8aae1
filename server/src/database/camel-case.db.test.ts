import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import type { SqlRunner } from './database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(testRuntime());
});
afterAll(() => database.drop());

function read(db: SqlRunner, camelCase: boolean, count = 1) {
  const text = `select n::bigint as due_ms, null as reply_to, '{"a_b": 1}'::jsonb as last_error, 'x' as x2_y from generate_series(1, $1::int) as n`;
  return db.run({ name: `test_camel_${camelCase}`, text, camelCase }, [count]);
}

test('a statement in camel case returns what another returns, with its columns renamed and nothing within them', async () => {
  const { rows } = await read(database.db, true, 2);
  const others = { replyTo: null, lastError: { a_b: 1 }, x2Y: 'x' };
  expect(rows).toEqual([
    { dueMs: 1, ...others },
    { dueMs: 2, ...others },
  ]);
  const plain = { due_ms: 1, reply_to: null, last_error: { a_b: 1 }, x2_y: 'x' };
  expect((await read(database.db, false)).rows).toEqual([plain]);
  expect(await database.db.transaction((tx) => read(tx, true, 0))).toEqual({ rows: [], rowCount: 0 });
});
