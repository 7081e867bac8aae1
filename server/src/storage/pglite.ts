import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from './database.ts';
import { EmbeddedEngine } from './embedded-engine.ts';
import { lockFolder } from './folder-lock.ts';
import { inTransaction, runOn, types } from './pool.ts';
import type { Schema } from './schema.ts';

const FOLDER = 'embedded';
const HALF_MADE = 'embedded.creating';

/**
 * The embedded database in a folder of its own.
 * @param dataDir folder of this process alone, made when missing; null: in memory, for tests
 * @throws FolderLocked when another process uses the folder
 */
export async function openPglite(dataDir: string | null): Promise<Database> {
  if (dataDir === null) return wrap(await EmbeddedEngine.start(null), () => undefined);
  mkdirSync(dataDir, { recursive: true });
  const unlock = lockFolder(dataDir);
  try {
    return wrap(await openFolder(dataDir), unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** A first boot that is interrupted leaves only the half-made folder, which the next boot removes. */
async function openFolder(dataDir: string): Promise<EmbeddedEngine> {
  const folder = join(dataDir, FOLDER);
  const halfMade = join(dataDir, HALF_MADE);
  rmSync(halfMade, { recursive: true, force: true });
  if (!existsSync(folder) || readdirSync(folder).length === 0) {
    const first = await EmbeddedEngine.start(halfMade);
    await first.close();
    rmSync(folder, { recursive: true, force: true });
    renameSync(halfMade, folder);
  }
  return EmbeddedEngine.start(folder);
}

function wrap(engine: EmbeddedEngine, unlock: () => void): Database {
  // One session, hence one connection: statements and transactions wait for each other in order of arrival. No
  // timeouts: nothing but our own work can hold it, and a vacuum may take its time.
  const pool = new pg.Pool({
    max: 1,
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    types,
    idleTimeoutMillis: 0,
    stream: () => engine.connect() as never,
  });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    kind: 'pglite',
    kysely: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }),
    run: (statement, parameters) => runOn(pool, statement, parameters),
    transaction: (work) => inTransaction(pool, work),
    listen: async () => null,
    notify: async () => undefined,
    close: async () => {
      await pool.end();
      await engine.close();
      unlock();
    },
  };
}
