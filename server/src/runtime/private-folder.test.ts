import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exposedPaths, openPrivateFolder } from './private-folder.ts';

let parent: string;
let folder: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'postrider-private-'));
  folder = join(parent, 'a', 'data');
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const modeOf = (...names: readonly string[]) => statSync(join(folder, ...names)).mode & 0o777;

/** As older versions left it. */
function makeOpenFolder(): void {
  mkdirSync(join(folder, 'embedded', 'pg_wal'), { recursive: true });
  for (const name of ['embedded/pg_wal/1', 'postrider.lock', 'encryption.key']) writeFileSync(join(folder, name), '');
  for (const name of ['', 'embedded', 'embedded/pg_wal']) chmodSync(join(folder, name), 0o777);
  for (const name of ['embedded/pg_wal/1', 'postrider.lock']) chmodSync(join(folder, name), 0o666);
  chmodSync(join(folder, 'encryption.key'), 0o600);
}

test('a missing folder is made for its owner alone, and so are those above it', () => {
  openPrivateFolder(folder);
  expect([modeOf(), modeOf('..')]).toEqual([0o700, 0o700]);
});

test('an open folder is closed with everything in it, itself last', () => {
  makeOpenFolder();
  const inner = ['embedded/pg_wal/1', 'embedded/pg_wal', 'embedded', 'postrider.lock'].map((name) =>
    join(folder, name),
  );
  expect(exposedPaths(folder)).toEqual([...inner, folder]);
  openPrivateFolder(folder);
  expect(exposedPaths(folder)).toEqual([]);
  expect([modeOf(), modeOf('embedded', 'pg_wal'), modeOf('embedded', 'pg_wal', '1')]).toEqual([0o700, 0o700, 0o600]);
});

test('what is not ours keeps its mode, and so does the folder that it shares with us', () => {
  makeOpenFolder();
  writeFileSync(join(folder, 'notes.txt'), '');
  chmodSync(join(folder, 'notes.txt'), 0o644);
  openPrivateFolder(folder);
  expect([modeOf(), modeOf('notes.txt'), modeOf('embedded')]).toEqual([0o777, 0o644, 0o700]);
});

test('a symbolic link is left alone, and so is what it leads to', () => {
  mkdirSync(folder, { recursive: true });
  const elsewhere = join(parent, 'elsewhere');
  mkdirSync(elsewhere);
  chmodSync(elsewhere, 0o755);
  symlinkSync(elsewhere, join(folder, 'media'));
  openPrivateFolder(folder);
  expect(statSync(elsewhere).mode & 0o777).toBe(0o755);
});
