import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrationsFolder } from '#bin/service';
import { EXIT } from '#cli/exit';
import { runCli } from '#cli/program';
import { fakeContext } from '#cli/testing/fake-context';
import { copyTemplate, type MadeDatabase } from '#testing/database/test-database';

let folder: string;
let made: MadeDatabase;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-migrate-'));
  made = await copyTemplate(join(folder, 'data'));
  cpSync(migrationsFolder(), join(folder, 'migrations'), { recursive: true });
});
afterAll(async () => {
  await made.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** The next program, with the migrations of the folder. */
async function run(dataDir: string, ...args: readonly string[]) {
  const env = { DATABASE_URL: made.url ?? '', MESSAGING_DATA_DIR: dataDir };
  const ctx = fakeContext({ env });
  const loadServer = async () => ({ ...(await ctx.loadServer()), migrationsFolder: () => join(folder, 'migrations') });
  const exitCode = await runCli({ ...ctx, loadServer }, args);
  return { exitCode, ...ctx.written };
}

test('a check says what the next migrations would do to which tables, and changes nothing', async () => {
  const data = join(folder, 'data');
  expect(await run(data, 'migrate', '--check')).toMatchObject({
    exitCode: EXIT.ok,
    stdout: 'The schema is up to date.\n',
  });
  writeFileSync(join(folder, 'migrations', '9000-next.sql'), 'alter table contacts add column nickname text;');
  writeFileSync(
    join(folder, 'migrations', '9001-index.sql'),
    '--! stepwise\n--! breaking\ncreate index concurrently if not exists contacts_nickname on contacts (tenant_id, nickname);',
  );
  const checked = await run(data, 'migrate', '--check');
  expect(checked.stdout).toMatch(
    /^2 migrations to apply:\n {2}9000-next\n {4}contacts \(.* MiB, about 0 rows\): locks it for a moment; at most a second\n/,
  );
  expect(checked.stdout).toMatch(
    /9001-index \(programs that do not know it stop\)\n {4}contacts .*builds an index while traffic goes on/,
  );
  expect(checked.stdout).toContain(
    'No backup is known: "postrider backup --to <location>" makes one. Nothing was changed.',
  );
  const again = JSON.parse((await run(data, 'migrate', '--check', '-o', 'json')).stdout);
  expect(again.pending.map(({ name, breaking }: { name: string; breaking: boolean }) => [name, breaking])).toEqual([
    ['9000-next', false],
    ['9001-index', true],
  ]);
  expect((await run(data, 'migrate')).stdout).toBe('Applied 9000-next, 9001-index.\n');
});

test('a check does not make an embedded database where there is none', async () => {
  const ctx = fakeContext({ env: { MESSAGING_DATA_DIR: join(folder, 'none') } });
  expect(await runCli(ctx, ['migrate', '--check'])).toBe(EXIT.refused);
  expect(ctx.written.stderr).toContain('the first start makes it');
  expect(existsSync(join(folder, 'none'))).toBe(false);
});
