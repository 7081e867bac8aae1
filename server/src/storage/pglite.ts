import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { Database, QueryResult, SqlRunner, Statement } from './database.ts';
import { asStorageError } from './faults.ts';
import { lockFolder } from './folder-lock.ts';
import type { Schema } from './schema.ts';
import { Turns } from './turns.ts';

/** Same reason as on PostgreSQL: cached plans made on empty tables walk the whole backlog. */
const SESSION = 'set plan_cache_mode = force_custom_plan; set jit = off;';
const FOLDER = 'embedded';
const HALF_MADE = 'embedded.creating';

/**
 * PGlite, real PostgreSQL compiled to WebAssembly, in a folder of its own.
 * @param dataDir folder of this process alone, made when missing; null: in memory, for tests
 * @throws FolderLocked when another process uses the folder
 */
export async function openPglite(dataDir: string | null): Promise<Database> {
  if (dataDir === null) return wrap(await PGlite.create(), () => undefined);
  mkdirSync(dataDir, { recursive: true });
  const unlock = lockFolder(dataDir);
  try {
    return await wrap(await openFolder(dataDir), unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** A first boot that is interrupted leaves only the half-made folder, which the next boot removes. */
async function openFolder(dataDir: string): Promise<PGlite> {
  const folder = join(dataDir, FOLDER);
  const halfMade = join(dataDir, HALF_MADE);
  rmSync(halfMade, { recursive: true, force: true });
  if (!existsSync(folder) || readdirSync(folder).length === 0) {
    const first = await PGlite.create(halfMade);
    await first.close();
    rmSync(folder, { recursive: true, force: true });
    renameSync(halfMade, folder);
  }
  return PGlite.create(folder);
}

async function wrap(lite: PGlite, unlock: () => void): Promise<Database> {
  await lite.exec(SESSION);
  const turns = new Turns();
  const runner: SqlRunner = { run: (statement, parameters) => runOn(lite, statement, parameters) };
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: poolOfOne(lite, turns) }) });
  return {
    kind: 'pglite',
    kysely,
    run: (statement, parameters) => turns.take(() => runOn(lite, statement, parameters)),
    transaction: (work) => turns.take(() => inTransaction(lite, runner, work)),
    listen: async () => null,
    notify: async () => undefined,
    close: async () => {
      await turns.take(() => lite.close());
      unlock();
    },
  };
}

async function runOn<Row>(
  lite: PGlite,
  statement: Statement,
  parameters: readonly unknown[],
): Promise<QueryResult<Row>> {
  try {
    const result = await lite.query<Row>(statement.text, parameters as unknown[]);
    return { rows: result.rows, rowCount: result.rows.length || (result.affectedRows ?? 0) };
  } catch (error) {
    throw asStorageError(error);
  }
}

async function inTransaction<T>(lite: PGlite, runner: SqlRunner, work: (tx: SqlRunner) => Promise<T>): Promise<T> {
  await lite.exec('begin');
  try {
    const result = await work(runner);
    await lite.exec('commit');
    return result;
  } catch (error) {
    await lite.exec('rollback');
    throw error;
  }
}

/** Kysely asks for a pool; there is one connection, so a client is a turn. */
function poolOfOne(lite: PGlite, turns: Turns): PostgresPool {
  const connect = (): Promise<PostgresPoolClient> =>
    new Promise((resolve) => {
      void turns.take(
        () =>
          new Promise<void>((release) => {
            const query = async (text: string, parameters: readonly unknown[]) => {
              const result = await lite.query(text, parameters as unknown[]);
              return {
                rows: result.rows,
                rowCount: result.affectedRows ?? result.rows.length,
                command: commandOf(text),
              };
            };
            resolve({ query, release } as unknown as PostgresPoolClient);
          }),
      );
    });
  return { connect, end: async () => undefined } as PostgresPool;
}

/** Kysely counts changed rows only for these commands; the server's answer names them, PGlite does not pass that on. */
function commandOf(text: string): string {
  return /^\s*(insert|update|delete|merge)\b/i.exec(text)?.[1]?.toUpperCase() ?? 'SELECT';
}
