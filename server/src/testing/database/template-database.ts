import { randomBytes } from 'node:crypto';
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrationsFolder } from '#bin/service';
import { addCell } from '#cells/actions/add-cell';
import type { OpenDatabase } from '#database/database';
import { readMigrations } from '#database/migration-file';
import { migrate } from '#database/migrator';
import { openPglite } from '#database/pglite';
import { openPostgres } from '#database/postgres';
import { silentLog } from '#runtime/log';
import { testRuntime } from '../test-runtime.ts';

/** A migrated database that nobody works in: every test file copies it instead of making its own step by step. */
export type TemplateDatabase =
  | {
      readonly kind: 'pglite';
      readonly folder: string;
      /** The same without tables: to make a cluster takes the embedded database several seconds. */
      readonly emptyFolder: string;
    }
  | { readonly kind: 'postgres'; readonly name: string; readonly withCell: DatabaseWithCell | null };

/** One that has a cell besides the main one. */
export interface DatabaseWithCell {
  readonly name: string;
  readonly cell: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly templateDatabase: TemplateDatabase;
  }
}

/** Vitest calls it once per run and project, before the first file, and what it returns after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = project.config.env.TEST_DATABASE_URL;
  if (server) {
    const { template, remove } = await makeOnServer(server, project.config.env.TEST_CELL || null);
    project.provide('templateDatabase', template);
    return remove;
  }
  // What the root project provides, all others have too: the second one on the embedded database finds it made.
  const root = project.vitest.getRootProject();
  if (root.getProvidedContext().templateDatabase) return async () => undefined;
  const { template, remove } = await makeInFolder();
  root.provide('templateDatabase', template);
  return remove;
}

interface Made {
  readonly template: TemplateDatabase;
  remove(): Promise<void>;
}

/** The default is 128 MB, which each start clears; what tests store fits into this. */
const BUFFERS = 'shared_buffers = 16MB';

async function makeInFolder(): Promise<Made> {
  const made = mkdtempSync(join(tmpdir(), 'postrider-template-'));
  const [emptyFolder, folder] = [join(made, 'empty'), join(made, 'migrated')];
  await (await openPglite(emptyFolder)).close();
  appendFileSync(join(emptyFolder, 'embedded', 'postgresql.conf'), `${BUFFERS}\n`);
  cpSync(emptyFolder, folder, { recursive: true });
  await migrateAndClose(await openPglite(folder));
  return {
    template: { kind: 'pglite', folder, emptyFolder },
    remove: async () => rmSync(made, { recursive: true, force: true }),
  };
}

async function makeOnServer(server: string, cell: string | null): Promise<Made> {
  const name = `postrider_template_${randomBytes(6).toString('hex')}`;
  await administer(server, `create database ${name}`);
  await migrateAndClose(openPostgres({ url: addressOf(server, name), poolSize: 1, log: silentLog }));
  const withCell = cell === null ? null : { name: `${name}_cells`, cell };
  if (withCell !== null) await addTestCell(server, name, withCell);
  return {
    template: { kind: 'postgres', name, withCell },
    remove: async () => {
      for (const made of [name, ...(withCell ? [withCell.name] : [])])
        await administer(server, `drop database if exists ${made} with (force)`);
    },
  };
}

async function migrateAndClose(db: OpenDatabase): Promise<void> {
  await migrate(db, readMigrations(migrationsFolder()), { nowMs: Date.now() });
  await db.close();
}

async function addTestCell(server: string, template: string, { name, cell }: DatabaseWithCell): Promise<void> {
  await administer(server, `create database ${name} template ${template}`);
  const databaseUrl = addressOf(server, name);
  const db = openPostgres({ url: databaseUrl, poolSize: 1, log: silentLog });
  const migrations = readMigrations(migrationsFolder());
  await addCell({ rt: testRuntime({ databaseUrl }), db, migrations }, { cellId: cell, url: null, schema: null });
  await db.close();
}

/** The address of another database on the same server. */
export function addressOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** One statement in a connection of its own. */
export async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
