import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FolderLocked, lockFolder } from './folder-lock.ts';

let folder: string;
const path = () => join(folder, 'postrider.lock');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function writeLock(pid: number, startedTicks: string | null): void {
  writeFileSync(path(), JSON.stringify({ pid, startedTicks }));
}

/** Field 22 of /proc/<pid>/stat, as the lock writes it. */
function ticksOf(pid: number): string | null {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

test('a free folder is locked, and free again afterwards', () => {
  const unlock = lockFolder(folder);
  expect(JSON.parse(readFileSync(path(), 'utf8')).pid).toBe(process.pid);
  unlock();
  expect(readdirSync(folder)).toEqual([]);
  lockFolder(folder)();
});

test('a folder that a living process holds is refused with a sentence that says who and what to do', () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
  try {
    const pid = child.pid ?? 0;
    writeLock(pid, ticksOf(pid));
    expect(() => lockFolder(folder)).toThrow(FolderLocked);
    expect(() => lockFolder(folder)).toThrow(
      new RegExp(`in use by process ${pid}\\..*MESSAGING_DATA_DIR.*DATABASE_URL`),
    );
    expect(JSON.parse(readFileSync(path(), 'utf8')).pid).toBe(pid);
    expect(readdirSync(folder)).toEqual(['postrider.lock']);
  } finally {
    child.kill('SIGKILL');
  }
});

test('a second lock of the same process is refused', () => {
  const unlock = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(FolderLocked);
  unlock();
});

test('a lock left by a killed process is replaced', () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  writeLock(pid, '1');
  const unlock = lockFolder(folder);
  expect(JSON.parse(readFileSync(path(), 'utf8')).pid).toBe(process.pid);
  unlock();
});

test('a lock whose process number belongs to another process by now is replaced', () => {
  writeLock(process.ppid, '1');
  const unlock = lockFolder(folder);
  expect(JSON.parse(readFileSync(path(), 'utf8')).pid).toBe(process.pid);
  unlock();
});

test('a lock that cannot be read is replaced', () => {
  writeFileSync(path(), '{"pid":');
  lockFolder(folder)();
});

test("another process's lock is not taken away by giving back ours", () => {
  const unlock = lockFolder(folder);
  writeLock(process.ppid, ticksOf(process.ppid));
  unlock();
  expect(JSON.parse(readFileSync(path(), 'utf8')).pid).toBe(process.ppid);
});
