import { describe, expect, test } from 'vitest';
import { migrationsFolder } from '#bin/service';
import { declaredStatements } from '#testing/database/declared-statements';
import { migrationFaults, statementFaults } from '#testing/database/distributed-rules';
import { readMigrations } from './migration-file.ts';

/*
 * What is written here runs on a schema that Citus has distributed (docs/scale.md). Each form that is found was refused there, or failed,
 * when it was tried.
 */

/** Taken where a schema is on one node; refused where the rows of a schema are spread by their tenants. */
const SPREAD: Readonly<Record<string, readonly string[]>> = {
  'The planner expects few rows, whatever the statistics say.': ['settle_sent'],
  'One walk of an index for each row, which no other form gets.': [
    ...['queue_candidates', 'queue_unknown_due', 'conversation_find_idle', 'conversation_link_earlier'],
    ...['search_notes_of_conversations', 'suppression_changes_of_many', 'timeline_skips'],
  ],
};

test('no migration does what a table of a distributed schema refuses', async () => {
  const faults = await Promise.all(readMigrations(migrationsFolder()).map(migrationFaults));
  expect(faults.flat()).toEqual([]);
});

test('no statement is refused on a distributed schema, and those that only need it whole are listed', async () => {
  const statements = await declaredStatements();
  const found = await Promise.all(
    statements.map(async ({ name, text }) => ({ name, faults: await statementFaults(text) })),
  );
  const names = found.filter(({ faults }) => faults.length > 0).map(({ name }) => name);
  expect([...new Set(names)].toSorted()).toEqual(Object.values(SPREAD).flat().toSorted());
});

describe('of a migration is refused, with what to write instead,', () => {
  test.each([
    ['alter table a add column b int, add column c int', /one statement for each/],
    ['alter table a add column b int check (b > 0)', /in a statement of its own/],
    ['alter table a add column b int constraint a_b check (b > 0)', /in a statement of its own/],
    ['alter table a add column b int unique', /in a statement of its own/],
    ['alter table a add check (b > 0)', /without a name/],
    ['alter table a alter column b set storage external', /toast_tuple_target/],
    ['alter table a rename constraint b to c', /rename the index/],
  ])('%s', async (text, advice) => {
    expect((await migrationFaults({ name: 'test', text })).join()).toMatch(advice);
  });

  test.each([
    'create table a (b int check (b > 0)) with (toast_tuple_target = 8160)',
    "alter table a add column b text not null default ''",
    'alter table a add constraint a_b check (b > 0) not valid; alter table a validate constraint a_b',
    'alter index a_pkey rename to b_pkey; alter table a rename to b; alter table b rename column c to d',
  ])('but not %s', async (text) => {
    expect(await migrationFaults({ name: 'test', text })).toEqual([]);
  });
});

describe('a statement is found out when', () => {
  test.each([
    [
      'it limits what it finds for each row of values',
      'select * from (values (1)) v (n) cross join lateral (select * from a where a.n = v.n limit 1) x',
      /"v".*union all/,
    ],
    [
      '… or of a query',
      'with q as (select 1 as n) select * from q cross join lateral (select * from a where a.n = q.n limit 1) x',
      /"q"/,
    ],
    [
      '… or of a function',
      'select * from unnest($1::int[]) as f (n) cross join lateral ((select * from a where a.n = f.n limit 1) union all select 2) x',
      /"f"/,
    ],
    ['it sets two columns at once', 'update a set (b, c) = (select 1, 2)', /"b" is set with others/],
    [
      'it chooses what it makes of settings',
      "update a set b = case when c then jsonb_build_object('d', e) end",
      /"b" is set by case/,
    ],
    [
      '… in an insert',
      'insert into a values (1) on conflict (b) do update set c = coalesce(a.c, to_jsonb(excluded.d))',
      /"c" is set by case/,
    ],
    [
      'it returns what it makes of settings',
      "delete from a where b = 1 returning json_build_object('c', c)",
      /in "returning"/,
    ],
    ['it unnests a query', 'select * from unnest(array(select b from a)) as t (b)', /unnest/],
    ['an insert of values asks a subquery', 'insert into a values ((select 1))', /outside of what it selects/],
    [
      '… when it meets a row',
      'insert into a values (1) on conflict (b) do update set c = 1 where exists (select from d)',
      /outside of what it selects/,
    ],
    [
      'an insert from "with" has a parameter for conflicts',
      'with q as (select b from c) insert into a select b from q on conflict (b) do update set c = 1 where a.c <= $1',
      /is lost/,
    ],
    [
      'nothing but a subquery says where an insert goes',
      'insert into a select $1 where $2 is null or exists (select from b where c = $2)',
      /takes the node with it/,
    ],
    [
      'an insert that reads tables stands on an insert',
      'with h as (insert into b values (1) returning c) insert into a select h.c from h join d on d.c = $1',
      /two statements/,
    ],
    [
      'it locks what it joins, and inserts',
      'with q as (select a.b from a join c on c.b = a.b for update of a), i as (insert into d select b from q) select 1',
      /locks rows/,
    ],
    [
      'it locks what it finds by a query, and inserts',
      'with q as (select b from a where b in (select b from c) for update), i as (insert into d select b from q) select 1',
      /locks rows/,
    ],
  ])('%s', async (_label, text, found) => {
    expect((await statementFaults(text)).join()).toMatch(found);
  });

  test.each([
    'select * from a cross join lateral (select * from b where b.n = a.n limit 1) x',
    "select case when a.b then jsonb_build_object('c', a.c) end from a",
    "with u as (update a set b = coalesce(a.b, 1) returning a.*) select json_build_object('b', b) from u",
    'with h as (insert into b values (1) returning c) insert into a select c from h',
    'insert into a select b from c where exists (select from d) on conflict (b) do update set c = excluded.c',
    'with q as (select * from (select a.b from a join c on c.b = a.b for update of a) x), i as (insert into d select b from q) select 1',
    'with q as (select a.b from a join c on c.b = a.b for update of a) delete from d using q where d.b = q.b',
  ])('not for %s', async (text) => {
    expect(await statementFaults(text)).toEqual([]);
  });
});
