import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Runtime } from '#runtime/runtime';
import type { Database } from '#storage/database';
import { migrate, readMigrations } from '#storage/migrator';
import { openPglite } from '#storage/pglite';
import { openPostgres } from '#storage/postgres';
import { migrationsFolder } from '../../bin/service.ts';

/** A database of one test file, empty but migrated. */
export interface TestDatabase {
  readonly db: Database;
  /** The address, for a second process; null on the embedded database. */
  readonly url: string | null;
  drop(): Promise<void>;
}

/** On PostgreSQL when TEST_DATABASE_URL names a server, else in memory. */
export async function openTestDatabase(rt: Runtime): Promise<TestDatabase> {
  const made = await makeDatabase();
  const db = made.url === null ? await openPglite(null) : openPostgres({ url: made.url, poolSize: 6, log: rt.log });
  await migrate(db, readMigrations(migrationsFolder()), rt.clock.now());
  return {
    db,
    url: made.url,
    drop: async () => {
      await db.close();
      await made.drop();
    },
  };
}

export interface MadeDatabase {
  readonly url: string | null;
  drop(): Promise<void>;
}

/** An empty database of its own on the server of TEST_DATABASE_URL; `url` null when there is none. */
export async function makeDatabase(): Promise<MadeDatabase> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return { url: null, drop: async () => undefined };
  const name = `postrider_test_${randomBytes(6).toString('hex')}`;
  await administer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(server, `drop database if exists ${name} with (force)`) };
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
