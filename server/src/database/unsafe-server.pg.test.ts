import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrationsFolder } from '#bin/service';
import { openDatabase, prepareDatabase } from '#maintenance/actions/open-database';
import { administer } from '#testing/database/template-database';
import { type MadeDatabase, makeDatabase } from '#testing/database/test-database';
import { testRuntime } from '#testing/test-runtime';
import { readMigrations } from './migration-file.ts';

let made: MadeDatabase;
beforeAll(async () => {
  made = await makeDatabase();
});
afterAll(() => made.drop());

test('a server that answers before the disk has what it was given is warned of at the start, by the setting', async () => {
  const url = made.url ?? '';
  await administer(url, `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`);
  const warnings: unknown[][] = [];
  const rt = testRuntime({ databaseUrl: url });
  const log = { ...rt.log, warn: (...line: unknown[]) => void warnings.push(line) } as typeof rt.log;
  const db = await openDatabase({ ...rt, log });
  await prepareDatabase({ ...rt, log }, db, readMigrations(migrationsFolder()));
  await db.close();
  expect(warnings).toEqual([
    [
      { setting: 'synchronous_commit' },
      'storage.unsafe_setting: PostgreSQL runs with synchronous_commit=off: a power cut can lose messages that were answered with 202. Switch it on.',
    ],
  ]);
});
