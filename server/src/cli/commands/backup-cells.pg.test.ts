import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXIT } from '#cli/exit';
import { runWith } from '#cli/testing/fake-context';
import { type CellKit, startCellKit } from '#testing/cells/test-cells';
import { type MadeDatabase, makeDatabase } from '#testing/database/test-database';

let cells: CellKit;
let folder: string;
let target: MadeDatabase;
const encryptionKey = randomBytes(32).toString('base64');

beforeAll(async () => {
  cells = await startCellKit({ config: { encryptionKey, databasePool: 4 } });
  folder = mkdtempSync(join(tmpdir(), 'postrider-backup-'));
  target = await makeDatabase();
});
afterAll(async () => {
  await cells.kit.close();
  await target.drop();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string) => join(folder, name);
const on = (url: string, dataDir: string, ...args: readonly string[]) =>
  runWith(
    {
      env: {
        DATABASE_URL: url,
        MESSAGING_DATA_DIR: dataDir,
        MESSAGING_ENCRYPTION_KEY: encryptionKey,
        LOG_LEVEL: 'silent',
      },
    },
    ...args,
  );
const onSource = (...args: readonly string[]) =>
  on(cells.kit.rt.config.databaseUrl, cells.kit.rt.config.dataDir, ...args);
const onTarget = (...args: readonly string[]) => on(target.url ?? '', at('restored'), ...args);

test('a backup of a running service with two cells is listed, verified, restored and pruned like any other', async () => {
  const made = await onSource('backup', '--to', at('backups'));
  expect(made).toMatchObject({ exitCode: EXIT.ok, stderr: '' });
  expect(made.stdout).toMatch(/^Backup \S+ in .*backups: \d+ rows of 2 cells in \d+\.\d MiB, 0 files of media\.$/m);
  const [backup] = JSON.parse((await onSource('backup', 'list', at('backups'), '-o', 'json')).stdout).data;
  expect(backup.cells.map(({ id }: { id: string }) => id)).toEqual(['main', 'b']);
  expect(backup.cells.reduce((sum: number, { rows }: { rows: number }) => sum + rows, 0)).toBe(backup.rows);
  expect((await onSource('backup', 'list', at('backups'))).stdout).toContain('CELLS');
  expect((await onSource('backup', 'verify', at('backups'))).stdout).toContain('rows of 2 cells');
  expect((await onSource('doctor')).stdout).toContain(backup.id);

  const restored = await onTarget('restore', at('backups'), '--verify', '--cell-at', 'b=cell_of_b');
  expect(restored).toMatchObject({ exitCode: EXIT.ok, stderr: '' });
  expect(restored.stdout).toContain(
    `Restored ${backup.id}: ${backup.rows} rows in the cells main, b, read back and compared`,
  );
  const listed = JSON.parse((await onTarget('cells', 'list', '-o', 'json')).stdout).data;
  expect(listed.map(({ id, schema }: { id: string; schema: string | null }) => [id, schema])).toEqual([
    ['main', null],
    ['b', 'cell_of_b'],
  ]);
  const tenants = JSON.parse((await onTarget('tenants', 'list', '-o', 'json')).stdout).data;
  expect(tenants.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Bank', 'Demo', 'Flower shop']);

  await onSource('backup', '--to', at('backups'));
  expect((await onSource('backup', 'prune', at('backups'), '--keep', '1')).stdout).toContain('Removed 1 backup');
  expect(readdirSync(at('backups'))).toHaveLength(1);
});

test.each([
  ['a place without a name', ['--cell-at', 'cell_b'], 'It must be like c=postgres://'],
  ['a cell with two places', ['--cell-at', 'b=x', '--cell-at', 'b=y'], 'The cell b is named twice.'],
  ['the place of another cell', ['--cell', 'b', '--cell-at', 'c=x'], 'Only the cell b is restored, not c.'],
])('%s is refused before anything is done', async (_label, options, sentence) => {
  const run = await onTarget('restore', at('backups'), ...options);
  expect(run).toMatchObject({ exitCode: EXIT.usage, stdout: '' });
  expect(run.stderr).toContain(sentence);
});
