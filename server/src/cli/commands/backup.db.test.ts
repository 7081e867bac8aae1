import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrationsFolder } from '#bin/service';
import { EXIT } from '#cli/exit';
import { type OperatorSocket, openOperatorSocket } from '#cli/operator-socket';
import { runWith } from '#cli/testing/fake-context';
import { copyEmpty, type MadeDatabase } from '#testing/database/test-database';
import { startTestService, type TestService } from '#testing/test-service';
import { freshPhone, makeTestTenant } from '#testing/test-tenant';

let kit: TestService;
let socket: OperatorSocket;
let folder: string;
let target: MadeDatabase;

beforeAll(async () => {
  kit = await startTestService({ isAlone: true });
  const deps = { rt: kit.rt, db: kit.service.db, migrationsFolder: migrationsFolder() };
  socket = await openOperatorSocket(deps);
  folder = mkdtempSync(join(tmpdir(), 'postrider-backup-'));
  target = await copyEmpty(at('restored'));
});
afterAll(async () => {
  await socket.close();
  await kit.close();
  await target.drop();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string) => join(folder, name);
const settings = (url: string, dataDir: string) => ({
  DATABASE_URL: url,
  MESSAGING_DATA_DIR: dataDir,
  LOG_LEVEL: 'silent',
});
const onSource = (...args: readonly string[]) =>
  runWith({ env: settings(kit.rt.config.databaseUrl, kit.rt.config.dataDir) }, ...args);
const onTarget = (...args: readonly string[]) => runWith({ env: settings(target.url ?? '', at('restored')) }, ...args);

test('a backup of the running service is listed, verified and restored into an empty database, once', async () => {
  const tenant = await makeTestTenant(kit);
  const id = await tenant.send(freshPhone(), { send_at: new Date(kit.rt.clock.now() + 3_600_000).toISOString() });
  const made = await onSource('backup', '--to', at('backups'));
  expect(made).toMatchObject({ exitCode: EXIT.ok, stderr: '' });
  expect(made.stdout).toMatch(
    /^Backup \d{8}T\d{6}Z-[0-9a-f]{6} in .*backups: \d+ rows in \d+\.\d MiB, 0 files of media\.$/m,
  );

  const listed = await onSource('backup', 'list', at('backups'), '-o', 'json');
  const [backup] = JSON.parse(listed.stdout).data;
  expect(backup).toMatchObject({ complete: true, database: kit.service.db.kind });
  expect((await onSource('backup', 'list', at('backups'))).stdout).toContain(backup.id);
  expect(await onSource('backup', 'verify', at('backups'))).toMatchObject({
    exitCode: EXIT.ok,
    stdout: expect.stringContaining(`Backup ${backup.id} is whole`),
  });

  const other = await onTarget('restore', at('backups'));
  if (other.exitCode !== EXIT.ok) {
    // Something in the backup is encrypted: the key has to be brought first.
    expect(other).toMatchObject({ exitCode: EXIT.refused, stderr: expect.stringContaining('another encryption key') });
    copyFileSync(join(kit.rt.config.dataDir, 'encryption.key'), join(at('restored'), 'encryption.key'));
  }
  const restored = other.exitCode === EXIT.ok ? other : await onTarget('restore', at('backups'), '--verify');
  expect(restored.stdout).toContain(`Restored ${backup.id}: ${backup.rows} rows`);
  expect(restored.stdout).toContain('A new history begins.');
  const tenants = JSON.parse((await onTarget('tenants', 'list', '-o', 'json')).stdout).data;
  expect(tenants.map((one: { id: string }) => one.id)).toContain(tenant.tenantId);
  const letters = await onTarget('held', 'list', '-o', 'json');
  expect(letters.exitCode).toBe(EXIT.ok);
  expect(id).not.toBe('');

  const again = await onTarget('restore', join(at('backups'), backup.id));
  expect(again).toMatchObject({ exitCode: EXIT.refused, stderr: expect.stringContaining('The database is not empty') });
});

test('old backups are pruned', async () => {
  for (const _ of [1, 2, 3]) await onSource('backup', '--to', at('many'));
  const pruned = await onSource('backup', 'prune', at('many'), '--keep', '2', '-o', 'json');
  expect(JSON.parse(pruned.stdout)).toMatchObject({ removed: [expect.any(String)], unfinished: null });
  expect(readdirSync(at('many'))).toHaveLength(2);
});

test.each([
  ['backup without a location', ['backup'], EXIT.usage, 'Name a folder, or s3://bucket/prefix, with --to.'],
  ['a location of another kind', ['backup', '--to', 'ftp://x/y'], EXIT.usage, 'neither a folder nor like s3://'],
  ['fewer than one to keep', ['backup', 'prune', '/nowhere', '--keep', '0'], EXIT.usage, 'from 1 to 10000'],
  ['a location without backups', ['restore', '/nowhere'], EXIT.refused, '/nowhere has no complete backup.'],
  ['a backup that there is not', ['backup', 'verify', '/nowhere', '--backup', 'x'], EXIT.refused, 'has no backup x'],
])('%s is refused with a sentence', async (_label, args, exitCode, sentence) => {
  const { stderr, ...run } = await onSource(...args);
  expect(run).toMatchObject({ exitCode, stdout: '' });
  expect(stderr).toContain(sentence);
});

test('a data folder without a database is not backed up, and stays as it was', async () => {
  const run = await runWith({ env: settings('', at('nothing')) }, 'backup', '--to', at('unused'));
  expect(run).toMatchObject({ exitCode: EXIT.refused, stderr: expect.stringContaining('There is no database in') });
  expect([existsSync(at('nothing')), existsSync(at('unused'))]).toEqual([false, false]);
});

test('nothing is restored into a database that a service runs on', async () => {
  await onSource('backup', '--to', at('running'));
  const run = await onSource('restore', at('running'));
  expect(run).toMatchObject({
    exitCode: EXIT.refused,
    stderr: expect.stringContaining('A service runs on this database'),
  });
});
