import { type Clock, systemClock } from '#runtime/clock';
import { type Log, silentLog } from '#runtime/log';
import type { Connection, OpenDatabase, SqlRunner, Statement } from './database.ts';
import { type Migration, type MigrationStatement, planOf } from './migration-file.ts';
import { isLockFailure } from './pg-errors.ts';

/** The database cannot be used by this version; the message is meant for the operator. */
export class SchemaMismatch extends Error {
  override name = 'SchemaMismatch';
}

/** Any constant: serialises processes that start at the same time on one PostgreSQL. */
const MIGRATION_LOCK = 723_001;
/** How often a process that waits for the one that migrates asks again. */
const TURN_MS = 500;
/** After a lock was not granted: what queued behind the attempt is served before the next one. */
const LOCK_REST_MS = 1_000;

export interface MigrateOptions {
  /** Noted as the time of what is applied. */
  readonly nowMs: number;
  readonly clock?: Clock;
  readonly log?: Log;
}

interface Migrating {
  readonly session: Connection;
  readonly clock: Clock;
  readonly log: Log;
  readonly nowMs: number;
}

/**
 * Brings the schema up to date, forward only, on a connection of its own that no time limit of requests ends. Each
 * migration is one transaction, or, when marked stepwise, a row of statements that can be repeated: one that is
 * interrupted is taken up by the next start. Waits without limit for another process that migrates, and for locks;
 * an attempt at a lock holds up others for two seconds at most.
 * @returns names of what was applied now
 * @throws SchemaMismatch when the database is newer than this program, or an applied migration was edited
 */
export async function migrate(
  db: OpenDatabase,
  migrations: readonly Migration[],
  { nowMs, clock = systemClock, log = silentLog }: MigrateOptions,
): Promise<readonly string[]> {
  const pending = pendingOf(await listApplied(db), migrations);
  if (pending.length === 0 && (await hasBreaking(db))) return [];
  return db.session(async (session) => {
    const migrating = { session, clock, log, nowMs };
    await takeTurn(migrating);
    try {
      return await applyPending(migrating, migrations);
    } finally {
      await atEnd(session, { name: 'migration_unlock', text: 'select pg_advisory_unlock($1)' }, [MIGRATION_LOCK]);
    }
  });
}

/** Asks again and again instead of waiting in a statement: that would hold a snapshot, for which concurrent index builds wait. */
async function takeTurn({ session, clock, log }: Migrating): Promise<void> {
  const ask = { name: 'migration_lock', text: 'select pg_try_advisory_lock($1) as mine' };
  for (let asked = 0; ; asked += 1) {
    const { rows } = await session.run<{ mine: boolean }>(ask, [MIGRATION_LOCK]);
    if (rows[0]?.mine) return;
    if (asked === 0) log.warn({}, 'migration.waits: another process migrates this database.');
    await pause(clock, TURN_MS);
  }
}

async function applyPending(migrating: Migrating, migrations: readonly Migration[]): Promise<readonly string[]> {
  const { session } = migrating;
  await session.run({ name: 'migration_table', text: TABLE }, []);
  await addBreaking({ ...migrating, name: 'schema_migrations' });
  const names: string[] = [];
  for (const migration of pendingOf(await listApplied(session), migrations)) {
    const name = `${String(migration.version).padStart(4, '0')}-${migration.name}`;
    await apply({ ...migrating, name }, migration);
    names.push(name);
  }
  return names;
}

/** Only where it is missing: the lock that it takes is not granted while anybody reads, as a dump does for hours. */
async function addBreaking(applying: Applying): Promise<void> {
  const { session } = applying;
  if (await hasBreaking(session)) return;
  await patiently(applying, async () => void (await session.run({ name: 'migration_breaking', text: BREAKING }, [])));
}

async function hasBreaking(db: SqlRunner): Promise<boolean> {
  const { rows } = await db.run<{ there: boolean }>({ name: 'migration_has_breaking', text: HAS_BREAKING }, []);
  return rows[0]?.there === true;
}

type Applying = Migrating & { readonly name: string };

async function apply(applying: Applying, migration: Migration): Promise<void> {
  const { session, nowMs } = applying;
  const plan = planOf(migration);
  const record = (runner: SqlRunner) => {
    const { version, name, checksum } = migration;
    return runner.run({ name: 'migration_record', text: RECORD }, [version, name, checksum, nowMs, plan.isBreaking]);
  };
  if (plan.isStepwise) {
    for (const step of plan.statements) await patiently(applying, () => runStep(session, step));
    await record(session);
    return;
  }
  await patiently(applying, () =>
    session.transaction(async (tx) => {
      for (const { text } of plan.statements) await tx.run(once(text), []);
      await record(tx);
    }),
  );
}

/** Run once, so not prepared under a name. */
function once(text: string): Statement {
  return { name: '', text };
}

/** Locks that are not granted in time are tried for again, as long as it takes: a dump of the database reads for hours. */
async function patiently({ clock, log, name }: Applying, work: () => Promise<void>): Promise<void> {
  while (true) {
    try {
      return await work();
    } catch (error) {
      if (!isLockFailure(error)) throw error;
      log.warn({ migration: name }, 'migration.waits: another session holds a table that the migration changes.');
      await pause(clock, LOCK_REST_MS);
    }
  }
}

const CONCURRENT_INDEX = /^\s*create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?(\w+)/im;

async function runStep(session: Connection, { text, repeats }: MigrationStatement): Promise<void> {
  const index = CONCURRENT_INDEX.exec(text)?.[1];
  if (index !== undefined) return buildIndex(session, index, once(text));
  while ((await session.run(once(text), [])).rowCount > 0 && repeats);
}

/** It waits for every older transaction, and holds up nobody meanwhile: the time limit for locks is not for it. */
async function buildIndex(session: Connection, index: string, build: Statement): Promise<void> {
  await dropInvalid(session, index);
  await session.run({ name: 'migration_lock_limit_off', text: 'set lock_timeout = 0' }, []);
  try {
    await session.run(build, []);
  } finally {
    await atEnd(session, { name: 'migration_lock_limit_on', text: 'reset lock_timeout' }, []);
  }
}

/** A build that was killed leaves its index behind, which nothing reads and every change pays for. */
async function dropInvalid(session: Connection, index: string): Promise<void> {
  const { rows } = await session.run({ name: 'migration_invalid_index', text: INVALID_INDEX }, [index]);
  if (rows.length === 0) return;
  await session.run(once(`drop index concurrently if exists ${index}`), []);
}

const INVALID_INDEX = `
select c.relname::text as name from pg_index i
join pg_class c on c.oid = i.indexrelid
where c.relname = $1 and not i.indisvalid and c.relnamespace = current_schema()::regnamespace`;

/** It fails with its connection only, which takes the lock and the limit with it; the reason why comes from elsewhere. */
async function atEnd(session: Connection, statement: Statement, parameters: readonly unknown[]): Promise<void> {
  await session.run(statement, parameters).catch(() => undefined);
}

/** A migration as the database has recorded it. */
export interface Applied {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
}

const TABLE = `create table if not exists schema_migrations (
  version integer primary key, name text not null, checksum text not null, applied_ms bigint not null)`;
/** Whether a program that does not know the migration must stop. */
const BREAKING = 'alter table schema_migrations add column if not exists breaking boolean not null default false';
const HAS_BREAKING = `
select exists (
  select from pg_attribute where attrelid = to_regclass('schema_migrations') and attname = 'breaking') as there`;
const HAS_TABLE = "select to_regclass('schema_migrations') is not null as there";
const LIST = 'select version, name, checksum from schema_migrations order by version';
const FIND_BREAKING =
  'select version, name from schema_migrations where version > $1 and breaking order by version limit 1';
const RECORD =
  'insert into schema_migrations (version, name, checksum, applied_ms, breaking) values ($1, $2, $3, $4, $5)';

/** The migrations that were applied to the database, in their order; empty for a new one. */
export async function listApplied(db: SqlRunner): Promise<readonly Applied[]> {
  const { rows } = await db.run<{ there: boolean }>({ name: 'migration_has_table', text: HAS_TABLE }, []);
  if (!rows[0]?.there) return [];
  return (await db.run<Applied>({ name: 'migration_list', text: LIST }, [])).rows;
}

/** Migrations that `migrate` would apply, in their order. @throws SchemaMismatch as `migrate` does */
export async function listPending(db: SqlRunner, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  return pendingOf(await listApplied(db), migrations);
}

/** The first migration after `version` on which programs that do not know it cannot work; null: there is none. */
export async function findBreaking(
  db: SqlRunner,
  version: number,
): Promise<{ readonly version: number; readonly name: string } | null> {
  const { rows } = await db.run<Applied>({ name: 'migration_find_breaking', text: FIND_BREAKING }, [version]);
  const [first] = rows;
  return first ? { version: first.version, name: first.name } : null;
}

/** @throws SchemaMismatch */
function pendingOf(applied: readonly Applied[], migrations: readonly Migration[]): readonly Migration[] {
  refuseNewer(applied, migrations);
  return migrations.filter(({ version }) => !applied.some((row) => row.version === version));
}

function refuseNewer(applied: readonly Applied[], migrations: readonly Migration[]): void {
  const newest = migrations.at(-1)?.version ?? 0;
  for (const row of applied) {
    if (row.version > newest) {
      throw new SchemaMismatch(
        `The database has schema version ${row.version} (${row.name}), this program knows ${newest}. ` +
          'Start the newer program; going back is not supported.',
      );
    }
    const known = migrations.find(({ version }) => version === row.version);
    if (known && known.checksum !== row.checksum) {
      throw new SchemaMismatch(
        `Migration ${row.version} (${row.name}) was edited after it was applied to this database.`,
      );
    }
  }
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve));
}
