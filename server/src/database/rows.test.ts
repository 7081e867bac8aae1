import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { expect, test } from 'vitest';
import { columnsOf } from './arrays.ts';
import { firstRow, newestFirst, pageOf } from './rows.ts';

const resultOf = async <T>(...rows: T[]) => ({ rows, rowCount: rows.length });

test('the first row is returned as it came or as the object that it becomes; without rows there is none', async () => {
  expect(await firstRow(resultOf({ id: 1 }, { id: 2 }))).toEqual({ id: 1 });
  expect(await firstRow(resultOf({ id: 1 }), ({ id }) => id + 1)).toBe(2);
  expect(await firstRow(resultOf<{ id: number }>(), ({ id }) => id)).toBeNull();
});

test('a page shows as many rows as its limit, and says whether there are more', () => {
  expect(pageOf([1, 2], 2)).toEqual({ items: [1, 2], hasMore: false });
  expect(pageOf([1, 2, 3], 2)).toEqual({ items: [1, 2], hasMore: true });
});

test('rows become one array for each field, in the order of the rows', () => {
  const rows = [
    { id: 'a', size: 1, name: 'x' },
    { id: 'b', size: 2, name: 'y' },
  ];
  expect(columnsOf(rows, 'size', 'id')).toEqual([
    [1, 2],
    ['a', 'b'],
  ]);
  expect(columnsOf([], 'size')).toEqual([[]]);
});

test('a window of a query begins behind its cursor, or at its offset, and reads one row more than it shows', () => {
  const db = new Kysely<{ things: { thing_id: string } }>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const sqlOf = (window: { readonly limit: number; readonly offset: number; readonly beforeId: string | null }) => {
    const { sql, parameters } = newestFirst(db.selectFrom('things').selectAll(), 'thing_id', window).compile();
    return [sql, ...parameters];
  };
  const end = (at: number) => `order by "thing_id" desc limit $${at} offset $${at + 1}`;
  expect(sqlOf({ limit: 2, offset: 4, beforeId: null })).toEqual([`select * from "things" ${end(1)}`, 3, 4]);
  const behind = `select * from "things" where "thing_id" < $1 ${end(2)}`;
  expect(sqlOf({ limit: 2, offset: 0, beforeId: 'x' })).toEqual([behind, 'x', 3, 0]);
});
