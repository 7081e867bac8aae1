import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '#runtime/log';
import { administer } from '#testing/database/template-database';
import { copyTemplate, type MadeDatabase } from '#testing/database/test-database';
import { statement } from './database.ts';
import { checkHealth } from './health.ts';
import { openPostgres } from './postgres.ts';

const PLAN_MODE = "select current_setting('plan_cache_mode') as mode";
const OF_INSERTS = statement('test_plan_mode_of_inserts', { insertsOnly: true })`${PLAN_MODE}`;
const OF_HOT = statement('test_plan_mode_of_hot', { hot: true })`${PLAN_MODE}`;
const OF_OTHERS = statement('test_plan_mode')`${PLAN_MODE}`;

let folder: string;
let made: MadeDatabase;
const url = (): string => made.url ?? '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-test-'));
  made = await copyTemplate(folder);
});
afterAll(async () => {
  await made.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** What connections that are opened now plan by: of statements that only insert, of hot ones, and of all others. */
async function planModes(): Promise<readonly unknown[]> {
  const db = openPostgres({ url: url(), poolSize: 6, log: silentLog });
  try {
    await db.openConnections();
    const results = await Promise.all([OF_INSERTS, OF_HOT, OF_OTHERS].map((one) => db.run<{ mode: string }>(one, [])));
    return results.map(({ rows }) => rows[0]?.mode);
  } finally {
    await db.close();
  }
}

test('on Citus, all statements are planned each time, elsewhere not those that only insert, nor hot ones', async () => {
  expect(await planModes()).toEqual(['force_generic_plan', 'force_generic_plan', 'force_custom_plan']);
  await administer(url(), 'create schema citus_like');
  await administer(url(), "create view citus_like.pg_extension as select 'citus'::name as extname");
  const name = new URL(url()).pathname.slice(1);
  await administer(url(), `alter database ${name} set search_path = citus_like, pg_catalog, public`);
  expect(await planModes()).toEqual(['force_custom_plan', 'force_custom_plan', 'force_custom_plan']);
});

test('a database whose tables of tenants cannot be read is not healthy', async () => {
  const db = openPostgres({ url: url(), poolSize: 4, log: silentLog });
  try {
    expect(await checkHealth(db)).toEqual({ ok: true });
    await administer(url(), 'alter table tenants rename to tenants_elsewhere');
    expect(await checkHealth(db)).toMatchObject({ ok: false });
  } finally {
    await db.close();
  }
});
