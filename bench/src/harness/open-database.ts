import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';

/** Rows by column name. */
export type Rows = readonly Readonly<Record<string, unknown>>[];

/** SQL against the database of a stage, from outside of the server. */
export interface OpenedDatabase {
  query(text: string, values?: readonly unknown[]): Promise<Rows>;
  close(): Promise<void>;
}

/** Where a stage keeps its data. */
export interface DatabasePlace {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
}

/** The embedded database allows one process: open it only while the server is stopped. */
export async function openDatabase({ databaseUrl, dataDir }: DatabasePlace): Promise<OpenedDatabase> {
  if (databaseUrl === null) {
    const embedded = await PGlite.create(join(dataDir, 'embedded'));
    return {
      query: async (text, values = []) =>
        (await embedded.query<Readonly<Record<string, unknown>>>(text, [...values])).rows,
      close: () => embedded.close(),
    };
  }
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'bench' });
  client.on('error', () => undefined);
  await client.connect();
  return {
    query: async (text, values = []) => (await client.query<Readonly<Record<string, unknown>>>(text, [...values])).rows,
    close: () => client.end(),
  };
}
