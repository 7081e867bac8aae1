import { expect, test } from 'vitest';
import { migrationsFolder } from '#bin/service';
import { faultsOf } from '#testing/database/migration-rules';
import { readMigrations } from './migration-file.ts';

/** Those before were written under no such rules, and may not be edited. */
const FIRST_UNDER_RULES = 29;

const STEPWISE = '--! stepwise\n';

test('no migration holds up the traffic of a table, or stops half way for good', () => {
  const ruled = readMigrations(migrationsFolder()).filter(({ version }) => version >= FIRST_UNDER_RULES);
  expect(ruled.flatMap(faultsOf)).toEqual([]);
});

test.each([
  ['create index a_b on a (b)', /writers wait/],
  ['create unique index a_b on a (b)', /writers wait/],
  ['create index concurrently if not exists a_b on a (b)', /cannot run in a transaction/],
  [`${STEPWISE}create index concurrently a_b on a (b)`, /if not exists/],
  ['alter table a add column b uuid default gen_random_uuid()', /rewrites the table/],
  ['alter table a alter column b set not null', /reads the whole table/],
  ['alter table a add constraint a_b check (b > 0)', /"not valid"/],
  ['alter table a add foreign key (b) references c', /"not valid"/],
  ['alter table a add constraint a_b unique (b)', /"using index"/],
  [`${STEPWISE}alter table a add column b int`, /if not exists/],
  [`${STEPWISE}insert into a values (1)`, /on conflict/],
  [`${STEPWISE}alter table a drop constraint b`, /if exists/],
  ['alter table a drop column b', /--! breaking/],
  ['alter table a rename column b to c', /--! breaking/],
  ['drop table a', /--! breaking/],
])('%s is refused with what to write instead', (text, advice) => {
  expect(faultsOf({ name: 'test', text }).join()).toMatch(advice);
});

test.each([
  ['create table a (b int); create index a_b on a (b); alter table a add check (b > 0)'],
  [`${STEPWISE}create index concurrently if not exists a_b on a (b)`],
  [`${STEPWISE}drop index concurrently if exists a_b`],
  ["alter table a add column b text[] not null default '{}'"],
  ['alter table a add column b smallint not null default 1'],
  ['alter table a add constraint a_b check (b is not null) not valid'],
  [`${STEPWISE}alter table a validate constraint a_b; alter table a alter column b set not null`],
  ['alter table a add constraint a_b unique using index a_b'],
  ['--! breaking\nalter table a drop column b'],
])('%s is taken', (text) => expect(faultsOf({ name: 'test', text })).toEqual([]));
