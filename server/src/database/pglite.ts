import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresPool } from 'kysely';
import pg from 'pg';
import { openPrivateFolder } from '#runtime/private-folder';
import { makeKysely } from './camel-case.ts';
import type { Connection, OpenDatabase } from './database.ts';
import { copyRunning } from './embedded/copy-running.ts';
import { SharedConnection } from './embedded/shared-connection.ts';
import { EmbeddedEngine } from './embedded-engine.ts';
import { lockFolder } from './folder-lock.ts';
import { types } from './pool.ts';

const FOLDER = 'embedded';
const HALF_MADE = 'embedded.creating';
/** A copy that long reads work on. */
const ASIDE = 'embedded.aside';

/**
 * The embedded database in a folder of its own.
 * @param dataDir folder of this process alone, made when missing; null: in memory, for tests
 * @throws FolderLocked when another process uses the folder, FolderDamaged when it holds no database any more
 */
export async function openPglite(dataDir: string | null): Promise<OpenDatabase> {
  if (dataDir === null) return wrap(await EmbeddedEngine.start(null), { aside: noCopy, unlock: () => undefined });
  openPrivateFolder(dataDir);
  const unlock = lockFolder(dataDir);
  try {
    const aside = new CopiesAside(join(dataDir, FOLDER), join(dataDir, ASIDE));
    return wrap(await openFolder(dataDir), { aside: (connection, work) => aside.run(connection, work), unlock });
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Whether a data folder holds an embedded database. */
export function hasEmbedded(dataDir: string): boolean {
  return existsSync(join(dataDir, FOLDER));
}

/** A first boot that is interrupted leaves only the half-made folder, which the next boot removes. */
async function openFolder(dataDir: string): Promise<EmbeddedEngine> {
  const folder = join(dataDir, FOLDER);
  const halfMade = join(dataDir, HALF_MADE);
  for (const leftOver of [halfMade, join(dataDir, ASIDE)]) rmSync(leftOver, { recursive: true, force: true });
  if (!existsSync(folder) || readdirSync(folder).length === 0) {
    const first = await EmbeddedEngine.start(halfMade);
    await first.close();
    rmSync(folder, { recursive: true, force: true });
    renameSync(halfMade, folder);
  }
  return EmbeddedEngine.start(folder).catch((error: unknown) => {
    throw isSystemError(error) ? error : new FolderDamaged(folder, error);
  });
}

/** The files of the embedded database are no database any more; the message is meant for the operator. */
export class FolderDamaged extends Error {
  override name = 'FolderDamaged';

  constructor(folder: string, cause: unknown) {
    const control = existsSync(join(folder, 'global', 'pg_control'));
    const what = control ? 'its files are damaged or incomplete' : 'its file global/pg_control is missing';
    super(
      `The embedded database in ${folder} cannot be opened: ${what}. ` +
        'Move the data folder away and restore a backup (postrider restore).',
      { cause },
    );
  }
}

/** No right, no space, too many open files: the files themselves may be well. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

interface Surroundings {
  /** As `Database.aside`, beside the connection to the engine. */
  readonly aside: <T>(connection: SharedConnection, work: (connection: Connection) => Promise<T>) => Promise<T>;
  readonly unlock: () => void;
}

async function noCopy(): Promise<never> {
  throw new Error('A database in memory has no files to be copied.');
}

/** Makes copies of the folder, one at a time, and opens each for the work that asked for it. */
class CopiesAside {
  readonly #folder: string;
  readonly #copy: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, copy: string) {
    this.#folder = folder;
    this.#copy = copy;
  }

  run<T>(connection: SharedConnection, work: (connection: Connection) => Promise<T>): Promise<T> {
    const next = this.#last.then(() => this.#runNow(connection, work));
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #runNow<T>(connection: SharedConnection, work: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      await copyRunning(connection, { from: this.#folder, to: this.#copy });
      const copy = wrap(await EmbeddedEngine.start(this.#copy), { aside: noCopy, unlock: () => undefined });
      return await copy.session(work).finally(() => copy.close());
    } finally {
      rmSync(this.#copy, { recursive: true, force: true });
    }
  }
}

function wrap(engine: EmbeddedEngine, { aside, unlock }: Surroundings): OpenDatabase {
  // No timeouts: nothing but our own work can hold the connection, and a vacuum may take its time.
  const pool = new pg.Pool({
    max: 1,
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    types,
    idleTimeoutMillis: 0,
    pipeline: true,
    stream: () => engine.connect() as never,
  });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const connection = new SharedConnection(pool);
  return {
    kind: 'pglite',
    kysely: makeKysely(poolOf(connection)),
    run: (statement, parameters) => connection.run(statement, parameters),
    transaction: (work) => connection.inTransaction(work),
    guard: () => undefined,
    openConnections: async () => ({ wanted: 1, granted: 1 }),
    load: () => connection.load,
    session: (work) => connection.session(work),
    aside: (work) => aside(connection, work),
    listen: async () => null,
    notify: async () => undefined,
    close: async () => {
      await connection.close();
      await engine.close();
      unlock();
    },
  };
}

/** Kysely asks for a pool of clients; its statements need none of their own. */
function poolOf(connection: SharedConnection): PostgresPool {
  const client = {
    query: (text: string, values: unknown[]) => connection.query(text, values),
    release: () => undefined,
  };
  return { connect: async () => client, end: async () => undefined } as unknown as PostgresPool;
}
