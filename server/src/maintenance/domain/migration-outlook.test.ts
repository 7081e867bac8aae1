import { expect, test } from 'vitest';
import { estimateSeconds, outlookOf } from './migration-outlook.ts';

test.each([
  ['create table if not exists things (id integer)', 'things', 'new'],
  ['alter table contacts add column nickname text', 'contacts', 'moment'],
  ['alter table contacts add column votes bigint not null default 0', 'contacts', 'moment'],
  ['alter table contacts add column votes bigint default count_votes()', 'contacts', 'blocked'],
  ['alter table contacts add constraint c check (x > 0) not valid', 'contacts', 'moment'],
  ['alter table contacts add constraint c check (x > 0)', 'contacts', 'blocked'],
  ['alter table contacts validate constraint c', 'contacts', 'scan'],
  ['alter table contacts alter column x set not null', 'contacts', 'blocked'],
  ['alter table contacts alter column x type bigint', 'contacts', 'blocked'],
  ['alter table contacts drop constraint if exists c', 'contacts', 'moment'],
  ['-- Why.\ncreate unique index concurrently if not exists i\n  on contacts (tenant_id, x)', 'contacts', 'index'],
  ['create index i on contacts (x)', 'contacts', 'blocked'],
  ['--! repeat\nupdate contacts set x = 1 where x is null', 'contacts', 'fill'],
  ['with gone as (delete from contacts where x returning 1) select 1', 'contacts', 'fill'],
  ['insert into cursors (tenant_id) select tenant_id from event_heads', 'event_heads', 'fill'],
  ['drop table if exists contacts', 'contacts', 'moment'],
  ['select 1', null, 'moment'],
])('%s', (statement, table, effect) => {
  expect(outlookOf([statement])).toEqual([{ table, effect }]);
});

test('what is done to a table that the same migration makes concerns nobody', () => {
  const statements = [
    'create table things (id integer)',
    'create index i on things (id)',
    'insert into things values (1)',
  ];
  expect(outlookOf(statements).map(({ effect }) => effect)).toEqual(['new', 'new', 'moment']);
});

test('an estimate grows with the table where its rows are read or written, and is nothing otherwise', () => {
  const bytes = 1024 ** 3;
  expect(estimateSeconds('moment', bytes)).toBe(0);
  expect(estimateSeconds('index', bytes)).toBeGreaterThan(estimateSeconds('index', bytes / 2));
  expect(estimateSeconds('fill', bytes)).toBeGreaterThan(estimateSeconds('scan', bytes));
});
