import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder is in use, or cannot be locked; the message is meant for the person who started the process. */
export class FolderLocked extends Error {
  override name = 'FolderLocked';
}

interface Holder {
  readonly pid: number;
  /** Start time of the process in clock ticks since boot; tells a reused pid from the process that wrote the lock. */
  readonly startedTicks: string | null;
}

/**
 * Takes the exclusive lock of a data folder: one process only, because the embedded database has no lock of its own
 * and two writers corrupt it. A lock left by a killed process is recognised and replaced.
 * @returns a function that gives the lock back
 * @throws FolderLocked when a living process holds it
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'postrider.lock');
  const own: Holder = { pid: process.pid, startedTicks: startedTicks(process.pid) };
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(own), { mode: 0o600 });
  try {
    if (!tryLink(draft, path)) {
      removeStale(path, folder);
      if (!tryLink(draft, path)) throw inUse(folder, readHolder(path));
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (readHolder(path)?.pid === process.pid) rmSync(path, { force: true });
  };
}

/** link(2) fails when the target exists: the one atomic "create with content" there is. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function removeStale(path: string, folder: string): void {
  const holder = readHolder(path);
  if (holder && isAlive(holder)) throw inUse(folder, holder);
  // Renamed, not removed: of two processes that both saw the stale lock only one moves it.
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
    giveBackIfAlive(aside, path, folder);
    rmSync(aside, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Between the look and the rename another process may have taken the lock: then it is its own that was moved. */
function giveBackIfAlive(aside: string, path: string, folder: string): void {
  const moved = readHolder(aside);
  if (!moved || !isAlive(moved)) return;
  tryLink(aside, path);
  rmSync(aside, { force: true });
  throw inUse(folder, moved);
}

function readHolder(path: string): Holder | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch {
    return null;
  }
}

function isAlive(holder: Holder): boolean {
  const ticks = startedTicks(holder.pid);
  if (ticks !== null && holder.startedTicks !== null) return ticks === holder.startedTicks;
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Field 22 of /proc/<pid>/stat; null where there is no /proc or no such process. */
function startedTicks(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

function inUse(folder: string, holder: Holder | null): FolderLocked {
  const who = holder ? `process ${holder.pid}` : 'another process';
  return new FolderLocked(
    `${folder} is in use by ${who}. The embedded database allows one process: stop that one, choose another ` +
      'MESSAGING_DATA_DIR, or set DATABASE_URL to run several processes on PostgreSQL.',
  );
}
