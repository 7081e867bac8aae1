import pg from 'pg';
import { expect } from 'vitest';
import type { Answer, TestService } from '../test-service.ts';

const onPostgres = Boolean(process.env.TEST_DATABASE_URL);

/** Ends every connection of a database but our own. */
export const TERMINATE =
  'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()';

/** Runs statements on the server that holds the database of `kit`, from outside of that database. */
export async function administer(
  kit: TestService,
  work: (client: pg.Client, name: string) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  try {
    await work(client, new URL(kit.rt.config.databaseUrl).pathname.slice(1));
  } finally {
    await client.end();
  }
}

/** Takes the database away for good (embedded), or shuts its door until `bringBack` (PostgreSQL). */
export async function takeAway(kit: TestService): Promise<void> {
  if (!onPostgres) return kit.service.db.close();
  await administer(kit, async (client, name) => {
    await client.query(`alter database ${name} with allow_connections false`);
    await client.query(TERMINATE, [name]);
  });
}

/** Opens the door again; what was closed for good stays closed. */
export async function restore(kit: TestService): Promise<void> {
  if (!onPostgres) return;
  await administer(
    kit,
    async (client, name) => void (await client.query(`alter database ${name} with allow_connections true`)),
  );
}

/** The answer of a service that cannot reach its database: a sentence, a time to wait, and nothing of its inside. */
export function expectAway(answer: Answer, code = 'storage_unavailable'): void {
  expect(answer).toMatchObject({ status: 503, body: { code } });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answer.text).not.toMatch(/select|insert|pg_|postgres|PGlite/i);
}
