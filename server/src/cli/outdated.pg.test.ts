import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrationsFolder } from '#bin/service';
import { fakeContext } from '#cli/testing/fake-context';
import { readMigrations } from '#database/migration-file';
import { migrate } from '#database/migrator';
import { openPostgres } from '#database/postgres';
import { silentLog } from '#runtime/log';
import { copyTemplate, type MadeDatabase } from '#testing/database/test-database';
import { EXIT } from './exit.ts';
import { runCli } from './program.ts';

let made: MadeDatabase;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-outdated-'));
  made = await copyTemplate(folder);
});
afterAll(async () => {
  await made.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** The next program brings these migrations, from version 9000 on. */
async function upgrade(...texts: readonly string[]): Promise<void> {
  const db = openPostgres({ url: made.url ?? '', poolSize: 2, log: silentLog });
  try {
    const next = texts.map((text, index) => ({ version: 9_000 + index, name: `next-${index}`, text, checksum: text }));
    await migrate(db, [...readMigrations(migrationsFolder()), ...next], { nowMs: 1 });
  } finally {
    await db.close();
  }
}

test('a process goes on beside a newer schema, until a breaking migration: then it leaves in order with its own code', async () => {
  const settings = { DATABASE_URL: made.url ?? '', MESSAGING_DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent' };
  const env = { ...settings, MESSAGING_APP_SECRET: 'a-secret-of-the-test-that-nobody-guesses' };
  const running = fakeContext({ env });
  const left = runCli(running, ['serve']);
  while (!running.written.stdout.includes('listening')) await new Promise((resolve) => setImmediate(resolve));
  await upgrade('select 1');
  await upgrade('select 1', '--! breaking\ndrop table if exists nothing');
  expect(await left).toBe(EXIT.outdated);
  expect(running.written.stderr).toMatch(/version 9001 \(next-1\), which this program cannot work on. Start the newer/);

  const again = fakeContext({ env });
  expect(await runCli(again, ['serve'])).toBe(EXIT.failure);
  expect(again.written.stderr).toMatch(/schema version 9000 .*Start the newer program/);
});
