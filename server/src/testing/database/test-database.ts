import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { OpenDatabase } from '#database/database';
import { openPglite } from '#database/pglite';
import { openPostgres } from '#database/postgres';
import type { Runtime } from '#runtime/runtime';
import { addressOf, administer } from './template-database.ts';

/** A database of one test file, empty but migrated. */
export interface TestDatabase {
  readonly db: OpenDatabase;
  /** The address, for a second process; null on the embedded database. */
  readonly url: string | null;
  drop(): Promise<void>;
}

/** On PostgreSQL when TEST_DATABASE_URL names a server, else embedded in a folder of its own. */
export function openTestDatabase(rt: Runtime): Promise<TestDatabase> {
  return openMade(rt, { make: copyTemplate, poolSize: 6 });
}

/**
 * The same without tables.
 * @param poolSize connections to the server at most
 */
export function openEmptyDatabase(rt: Runtime, poolSize = 4): Promise<TestDatabase> {
  return openMade(rt, { make: copyEmpty, poolSize });
}

interface Making {
  readonly make: (folder: string) => Promise<MadeDatabase>;
  readonly poolSize: number;
}

async function openMade(rt: Runtime, { make, poolSize }: Making): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-test-'));
  const made = await make(folder);
  const db = made.url === null ? await openPglite(folder) : openPostgres({ url: made.url, poolSize, log: rt.log });
  return {
    db,
    url: made.url,
    drop: async () => {
      await db.close();
      await made.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface MadeDatabase {
  readonly url: string | null;
  drop(): Promise<void>;
}

const EMBEDDED: MadeDatabase = { url: null, drop: async () => undefined };

/** An empty database of its own on the server of TEST_DATABASE_URL, for tests that only run there. */
export function makeDatabase(): Promise<MadeDatabase> {
  return createOnServer(process.env.TEST_DATABASE_URL ?? '', 'template1');
}

/** An empty database of its own: on the server of TEST_DATABASE_URL, or in the folder, which then is the data folder of the embedded one. */
export async function copyEmpty(folder: string): Promise<MadeDatabase> {
  const template = inject('templateDatabase');
  if (template.kind === 'postgres') return makeDatabase();
  cpSync(template.emptyFolder, folder, { recursive: true });
  return EMBEDDED;
}

/**
 * A migrated database of its own: on the server of TEST_DATABASE_URL, or in the folder, which then is the data folder
 * of the embedded one.
 */
export async function copyTemplate(folder: string): Promise<MadeDatabase> {
  const template = inject('templateDatabase');
  if (template.kind === 'postgres') return createOnServer(process.env.TEST_DATABASE_URL ?? '', template.name);
  cpSync(template.folder, folder, { recursive: true });
  return EMBEDDED;
}

/** The same with a cell besides the main one; null where the tests run on one cell. */
export async function copyTemplateWithCell(): Promise<(MadeDatabase & { readonly cell: string }) | null> {
  const template = inject('templateDatabase');
  if (template.kind !== 'postgres' || template.withCell === null) return null;
  const { name, cell } = template.withCell;
  return { ...(await createOnServer(process.env.TEST_DATABASE_URL ?? '', name)), cell };
}

/** Nobody works in the template, but its maker's connection may still be ending, or autovacuum be looking at it. */
const TEMPLATE_IN_USE = '55006';
/** The server waits five seconds by itself before it says so. */
const MAX_COPIES = 12;

async function copyOnServer(server: string, statement: string): Promise<void> {
  for (let left = MAX_COPIES; ; left -= 1) {
    try {
      return await administer(server, statement);
    } catch (error) {
      if ((error as { readonly code?: string }).code !== TEMPLATE_IN_USE || left === 1) throw error;
    }
  }
}

async function createOnServer(server: string, template: string): Promise<MadeDatabase> {
  const name = `postrider_test_${randomBytes(6).toString('hex')}`;
  await copyOnServer(server, `create database ${name} template ${template}`);
  return {
    url: addressOf(server, name),
    drop: () => administer(server, `drop database if exists ${name} with (force)`),
  };
}
