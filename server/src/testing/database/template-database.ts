import { createHash, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
  project.provide('templateDatabase', await cachedInFolder());
  return async () => undefined;
}

interface Made {
  readonly template: TemplateDatabase;
  remove(): Promise<void>;
}

/** The default is 128 MB, which each start clears; what tests store fits into this. */
const BUFFERS = 'shared_buffers = 16MB';

/** Templates are kept here from one run to the next; making one takes several seconds. */
const CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/postrider-templates', import.meta.url));
const MAX_AGE_MS = 24 * 3_600_000;

/** Returns the template of these migrations, making it when there is none. Removes templates that are older than a day when it makes one. */
async function cachedInFolder(): Promise<TemplateDatabase> {
  const made = join(CACHE, versionOfTemplate());
  if (!existsSync(made)) {
    mkdirSync(CACHE, { recursive: true });
    removeOldTemplates();
    const half = mkdtempSync(`${made}-`);
    await makeInFolder(half);
    moveUnlessThere(half, made);
  }
  return { kind: 'pglite', folder: join(made, 'migrated'), emptyFolder: join(made, 'empty') };
}

/** A hash of everything that decides what is in a template. */
function versionOfTemplate(): string {
  const engine = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  const hash = createHash('sha256').update(readFileSync(join(engine, '..', 'package.json')));
  const own = extname(fileURLToPath(import.meta.url));
  for (const file of ['./template-database', '../../database/migrator', '../../database/pglite'])
    hash.update(readFileSync(new URL(`${file}${own}`, import.meta.url)));
  for (const { name, text } of readMigrations(migrationsFolder())) hash.update(name).update(text);
  return hash.digest('hex').slice(0, 16);
}

function removeOldTemplates(): void {
  for (const name of readdirSync(CACHE)) {
    const folder = join(CACHE, name);
    if (Date.now() - statSync(folder).mtimeMs > MAX_AGE_MS) rmSync(folder, { recursive: true, force: true });
  }
}

/** Another run may have made the same in between. */
function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
    rmSync(from, { recursive: true, force: true });
  }
}

async function makeInFolder(made: string): Promise<void> {
  const [emptyFolder, folder] = [join(made, 'empty'), join(made, 'migrated')];
  await (await openPglite(emptyFolder)).close();
  appendFileSync(join(emptyFolder, 'embedded', 'postgresql.conf'), `${BUFFERS}\n`);
  cpSync(emptyFolder, folder, { recursive: true });
  await migrateAndClose(await openPglite(folder));
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
