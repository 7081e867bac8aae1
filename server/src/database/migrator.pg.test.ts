import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '#runtime/log';
import { type MadeDatabase, makeDatabase } from '#testing/database/test-database';
import { type OpenDatabase, StorageUnavailable } from './database.ts';
import type { Migration } from './migration-file.ts';
import { migrate } from './migrator.ts';
import { openPostgres } from './postgres.ts';

let made: MadeDatabase;
let db: OpenDatabase;
let other: pg.Client;

beforeEach(async () => {
  made = await makeDatabase();
  db = openPostgres({ url: made.url ?? '', poolSize: 4, log: silentLog });
  other = new pg.Client({ connectionString: made.url ?? '' });
  await other.connect();
  await migrate(db, migrations('create table busy (id int primary key, word text)'), { nowMs: 1 });
  await other.query('insert into busy select n, null from generate_series(1, 25) as n');
});
afterEach(async () => {
  await other.end();
  await db.close();
  await made.drop();
});

function migrations(...texts: readonly string[]): readonly Migration[] {
  return texts.map((text, index) => ({ version: index + 1, name: `step-${index + 1}`, text, checksum: text }));
}

/** The table as it is, and then what is tried. */
function then(text: string): readonly Migration[] {
  return migrations('create table busy (id int primary key, word text)', text);
}

/** A log that resolves a promise with its first line of a kind. */
function logUntil(kind: string) {
  let heard: (line: string) => void = () => undefined;
  const line = new Promise<string>((resolve) => {
    heard = resolve;
  });
  const log = pino({ level: 'warn' }, { write: (text: string) => void (text.includes(kind) && heard(text)) });
  return { log, line };
}

async function valuesOf(text: string): Promise<readonly unknown[]> {
  return (await other.query({ text, rowMode: 'array' })).rows.flat();
}

const VALID = "select indisvalid from pg_index where indexrelid = to_regclass('busy_word')";
const SESSIONS =
  "select pid from pg_stat_activity where application_name = 'postrider-session' and datname = current_database()";

describe('a migration', () => {
  test('whose statement takes longer than any request may is applied', async () => {
    await expect(migrate(db, then('select pg_sleep(17)'), { nowMs: 1 })).resolves.toEqual(['0002-step-2']);
  });

  test('that must change a table which somebody reads for long waits without holding up others', async () => {
    await other.query('begin');
    await other.query('select from busy');
    const { log, line } = logUntil('another session holds a table');
    const migrated = migrate(db, then('alter table busy add column more int'), { nowMs: 1, log });
    // A statement that waits 5 s for a lock fails.
    for (let shots = 0; shots < 40; shots += 1) {
      await db.run({ name: 'test_read', text: 'select count(*) from busy' }, []);
      await db.run({ name: 'test_pause', text: 'select pg_sleep(0.1)' }, []);
    }
    expect(await line).toContain('0002-step-2');
    await other.query('commit');
    await expect(migrated).resolves.toEqual(['0002-step-2']);
  });

  test('under way makes a second process wait for it and then go on, and the log says why', async () => {
    const { log, line } = logUntil('another process migrates');
    await other.query('select pg_advisory_lock(723001)');
    const second = migrate(db, then('create table late (id int)'), { nowMs: 1, log });
    await line;
    await other.query('create table late (id int)');
    await other.query("insert into schema_migrations values (2, 'step-2', 'create table late (id int)', 1)");
    await other.query('select pg_advisory_unlock(723001)');
    await expect(second).resolves.toEqual([]);
  });

  test('that is breaking says so to programs that do not know it', async () => {
    await migrate(db, then('--! breaking\nselect 1'), { nowMs: 1 });
    expect(await valuesOf('select breaking from schema_migrations order by version')).toEqual([false, true]);
  });
});

describe('a stepwise migration', () => {
  const STEPS = [
    '--! stepwise',
    '--! repeat',
    'update busy set word = id::text where id in (select id from busy where word is null limit 10);',
    'create index concurrently if not exists busy_word on busy (word);',
    'alter table busy drop constraint if exists busy_worded;',
    'alter table busy add constraint busy_worded check (word is not null) not valid;',
    'alter table busy validate constraint busy_worded;',
  ];
  const DONE = [25, true, true];
  const STATE = `select (select count(word)::int from busy), (${VALID}),
    (select convalidated from pg_constraint where conname = 'busy_worded')`;

  test('fills in portions, builds its index while others write, and validates', async () => {
    await migrate(db, then(STEPS.join('\n')), { nowMs: 1 });
    expect(await valuesOf(STATE)).toEqual(DONE);
  });

  test.each([1, 2, 3, 4, 5])('that was killed before its statement %i goes on', async (statement) => {
    const killed = [...STEPS];
    killed.splice(statement === 1 ? 1 : statement + 1, 0, 'select pg_terminate_backend(pg_backend_pid());');
    await expect(migrate(db, then(killed.join('\n')), { nowMs: 1 })).rejects.toThrow(StorageUnavailable);
    expect(await valuesOf('select max(version) from schema_migrations')).toEqual([1]);
    await migrate(db, then(STEPS.join('\n')), { nowMs: 1 });
    expect(await valuesOf(STATE)).toEqual(DONE);
  });

  test('that was killed while it built an index builds it again', async () => {
    const reader = new pg.Client({ connectionString: made.url ?? '' });
    await reader.connect();
    await reader.query('begin');
    await reader.query("insert into busy values (100, 'not committed')");
    const killed = migrate(db, then(STEPS.join('\n')), { nowMs: 1 }).catch((error: unknown) => error);
    while ((await valuesOf(VALID)).length === 0);
    for (const pid of await valuesOf(SESSIONS)) await other.query('select pg_terminate_backend($1)', [pid]);
    expect(await killed).toBeInstanceOf(StorageUnavailable);
    await reader.query('rollback');
    await reader.end();
    expect(await valuesOf(VALID)).toEqual([false]);
    await migrate(db, then(STEPS.join('\n')), { nowMs: 1 });
    expect(await valuesOf(STATE)).toEqual(DONE);
  });
});
