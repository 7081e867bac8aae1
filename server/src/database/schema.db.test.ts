import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrationsFolder } from '#bin/service';
import { openEmptyDatabase, openTestDatabase, type TestDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import type { OpenDatabase } from './database.ts';
import { dumpSchema } from './dump-schema.ts';
import { type Migration, readMigrations } from './migration-file.ts';
import { migrate, SchemaMismatch } from './migrator.ts';

const rt = testRuntime();
const now = { nowMs: rt.clock.now() };
const migrations = readMigrations(migrationsFolder());
let database: TestDatabase;
let db: OpenDatabase;

beforeAll(async () => {
  database = await openTestDatabase(rt);
  db = database.db;
});
afterAll(() => database.drop());

async function rowsOf<Row>(text: string): Promise<readonly Row[]> {
  return (await db.run<Row>({ name: `test ${text}`.slice(0, 60), text }, [])).rows;
}

/** An empty database, with `work` done in it. */
async function inEmptyDatabase(work: (empty: OpenDatabase) => Promise<void>): Promise<void> {
  const empty = await openEmptyDatabase(rt);
  try {
    await work(empty.db);
  } finally {
    await empty.drop();
  }
}

function withLast(change: Partial<Migration>): readonly Migration[] {
  const last = migrations.at(-1);
  if (!last) throw new Error('There are no migrations.');
  return [...migrations.slice(0, -1), { ...last, ...change }];
}

describe('migrations', () => {
  test('make from nothing exactly the schema that is committed, on this database as on the other', async () => {
    const committed = readFileSync(fileURLToPath(new URL('../../migrations/schema.sql', import.meta.url)), 'utf8');
    expect(await dumpSchema(db)).toBe(committed);
  });

  test('applied again do nothing', async () => {
    const before = await dumpSchema(db);
    expect(await migrate(db, migrations, now)).toEqual([]);
    expect(await dumpSchema(db)).toBe(before);
  });

  test('started by several processes at once are applied once', async () => {
    await inEmptyDatabase(async (empty) => {
      const applied = await Promise.all([1, 2, 3].map(() => migrate(empty, migrations, now)));
      expect(applied.flat().length).toBe(migrations.length);
    });
  });

  test('that fail half way leave nothing of themselves, and those before them stay', async () => {
    await inEmptyDatabase(async (empty) => {
      const broken = withLast({ text: 'create table half (id int); create table half (id int);' });
      await expect(migrate(empty, broken, now)).rejects.toThrow(/half/);
      const { rows } = await empty.run<{ half: string | null }>(
        { name: 'test_half', text: "select to_regclass('half')::text as half" },
        [],
      );
      expect(rows).toEqual([{ half: null }]);
      expect(await migrate(empty, migrations, now)).toHaveLength(1);
      expect(await dumpSchema(empty)).toBe(await dumpSchema(db));
    });
  });

  test('in steps fill in portions and build indexes on both databases, and may be repeated', async () => {
    const text = `--! stepwise
      create table if not exists filled (id int primary key, word text);
      insert into filled select n from generate_series(1, 25) as n on conflict do nothing;
      --! repeat
      update filled set word = 'a;b' where id in (select id from filled where word is null limit 10);
      create index concurrently if not exists filled_word on filled (word);`;
    await inEmptyDatabase(async (empty) => {
      const steps = [1, 2].map((version) => ({ version, name: 'steps', text, checksum: text }));
      expect(await migrate(empty, steps, now)).toHaveLength(2);
      const read = "select count(word)::int as words, to_regclass('filled_word')::text as index from filled";
      expect((await empty.run({ name: 'test_filled', text: read }, [])).rows).toEqual([
        { words: 25, index: 'filled_word' },
      ]);
    });
  });

  test('of a newer program are refused with a sentence that says what to do', async () => {
    await db.run({ name: 'test_newer', text: "insert into schema_migrations values (9999, 'future', 'x', 1)" }, []);
    const refused = migrate(db, migrations, now);
    await expect(refused).rejects.toThrow(SchemaMismatch);
    await expect(refused).rejects.toThrow(/schema version 9999 \(future\).*Start the newer program/);
    await db.run({ name: 'test_older', text: 'delete from schema_migrations where version = 9999' }, []);
  });

  test('that were edited after they were applied are refused by name', async () => {
    const refused = migrate(db, withLast({ checksum: 'edited' }), now);
    await expect(refused).rejects.toThrow(SchemaMismatch);
    await expect(refused).rejects.toThrow(/was edited after it was applied/);
  });
});

/** Tables that belong to no tenant, each with its reason in the migration. */
const SYSTEM_TABLES = [
  'backups',
  'callback_leftovers',
  'callback_queue',
  'callbacks',
  'database_histories',
  'callback_refusals',
  'dispatchers',
  'notifiers',
  'api_processes',
  'number_directory',
  'passkey_challenges',
  'passkeys',
  'plans',
  'schema_migrations',
  'settings',
  'sign_in_attempts',
  'sign_in_links',
  'tenants',
  'users',
  'wallet_prices',
];

interface UniqueIndex {
  readonly table_name: string;
  readonly index_name: string;
  readonly is_primary: boolean;
  readonly columns: string[];
}

const UNIQUE_INDEXES = `
select c.relname::text as table_name, x.relname::text as index_name, i.indisprimary as is_primary,
  array(select a.attname::text from unnest(i.indkey::int[]) with ordinality as k (attnum, place)
    join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum order by k.place) as columns
from pg_index i
join pg_class c on c.oid = i.indrelid
join pg_class x on x.oid = i.indexrelid
join pg_namespace n on n.oid = c.relnamespace
where n.nspname = 'public' and i.indisunique`;

describe('every table of a tenant', () => {
  test('is every table that is not on the list of system tables', async () => {
    const tables = await rowsOf<{ name: string }>(
      "select tablename::text as name from pg_tables where schemaname = 'public'",
    );
    const tenants = await rowsOf<{ name: string }>(
      "select table_name::text as name from information_schema.columns where table_schema = 'public' and column_name = 'tenant_id'",
    );
    const names = tables.map(({ name }) => name).filter((name) => !SYSTEM_TABLES.includes(name));
    expect(names.sort()).toEqual(
      tenants
        .map(({ name }) => name)
        .filter((name) => !SYSTEM_TABLES.includes(name))
        .sort(),
    );
    expect(names.length).toBeGreaterThan(8);
  });

  test('has tenant_id first in its primary key and in every unique index', async () => {
    const indexes = (await rowsOf<UniqueIndex>(UNIQUE_INDEXES)).filter(
      (index) => !SYSTEM_TABLES.includes(index.table_name),
    );
    const tables = new Set(indexes.filter((index) => index.is_primary).map((index) => index.table_name));
    expect(tables.size).toBeGreaterThan(8);
    const wrongKeys = indexes.filter((index) => index.is_primary && index.columns[0] !== 'tenant_id');
    const wrongIndexes = indexes.filter((index) => !index.columns.includes('tenant_id'));
    expect([...wrongKeys, ...wrongIndexes].map((index) => index.index_name)).toEqual([]);
  });

  test('takes no default that reads a clock, draws a number or counts', async () => {
    const defaults = await rowsOf<{ text: string }>('select pg_get_expr(adbin, adrelid) as text from pg_attrdef');
    expect(defaults.filter(({ text }) => /\(\)|nextval|\bnow\b|random/.test(text))).toEqual([]);
  });
});
