import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { freeBytesAt } from '#runtime/free-space';
import type { SqlRunner, Statement } from '../database.ts';
import type { SharedConnection } from './shared-connection.ts';

const CHECKPOINT: Statement = { name: 'copy_checkpoint', text: 'checkpoint' };
const LOG_FILES: Statement = {
  name: 'copy_log_files',
  text: 'select pg_walfile_name(redo_lsn) as first, pg_walfile_name(pg_current_wal_insert_lsn()) as last from pg_control_checkpoint()',
};
const LOG_FOLDER = 'pg_wal';
/** Left free for the database that goes on: its log may need it while the copy exists. */
const ROOM_BYTES = 256 * 1024 * 1024;
/** File systems keep times in steps: whoever wrote within the last of them may have done so twice under one time. */
const TIME_STEP_NS = 2_000_000_000n;

interface Folders {
  readonly from: string;
  readonly to: string;
}

/** What a file was like before it was copied. */
interface Seen {
  readonly mtimeNs: bigint;
  readonly size: bigint;
}

/**
 * Copies the files of an embedded database that is at work: all of them while it goes on, and then, while it rests after a checkpoint,
 * those that were written meanwhile. The copy is the database as it is at the end, as after a crash that followed a checkpoint.
 * @throws Error when there is no room for the copy
 */
export async function copyRunning(connection: SharedConnection, folders: Folders): Promise<void> {
  await requireRoom(folders);
  await rm(folders.to, { recursive: true, force: true });
  await mkdir(folders.to, { recursive: true, mode: 0o700 });
  const beganNs = await fileTime(folders.to);
  const seen = await copyAll(folders);
  await connection.session(async (session) => {
    await session.run(CHECKPOINT, []);
    const log = await logFiles(session);
    await copyChanged(folders, { seen, beganNs, isNeeded: (path) => !isOfLog(path) || log.has(basename(path)) });
  });
}

async function requireRoom({ from }: Folders): Promise<void> {
  const entries = await filesIn(from);
  const sizes = await Promise.all(entries.map((path) => seenAt(join(from, path))));
  const needed = sizes.reduce((sum, seen) => sum + Number(seen?.size ?? 0n), ROOM_BYTES);
  const free = freeBytesAt(from);
  if (free >= needed) return;
  const [left, wanted] = [free, needed].map((bytes) => Math.ceil(bytes / 1024 / 1024));
  throw new Error(
    `The disk of the data folder has ${left} MiB left, and a copy of the embedded database needs ${wanted} MiB.`,
  );
}

/** Now, as the file system writes it. */
async function fileTime(folder: string): Promise<bigint> {
  const path = join(folder, 'time');
  await writeFile(path, '');
  const { mtimeNs } = await stat(path, { bigint: true });
  await rm(path);
  return mtimeNs;
}

async function copyAll(folders: Folders): Promise<ReadonlyMap<string, Seen>> {
  const seen = new Map<string, Seen>();
  await makeFolders(folders);
  for (const path of await filesIn(folders.from)) {
    if (isOfLog(path)) continue;
    const before = await seenAt(join(folders.from, path));
    if (before !== null && (await copied(folders, path))) seen.set(path, before);
  }
  return seen;
}

interface Changes {
  readonly seen: ReadonlyMap<string, Seen>;
  readonly beganNs: bigint;
  readonly isNeeded: (path: string) => boolean;
}

async function copyChanged(folders: Folders, { seen, beganNs, isNeeded }: Changes): Promise<void> {
  await makeFolders(folders);
  const present = new Set((await filesIn(folders.from)).filter(isNeeded));
  for (const path of present) {
    const before = seen.get(path);
    const now = await seenAt(join(folders.from, path));
    const isSame = before !== undefined && before.mtimeNs === now?.mtimeNs && before.size === now.size;
    if (!isSame || before.mtimeNs >= beganNs - TIME_STEP_NS) await copied(folders, path);
  }
  for (const path of seen.keys()) if (!present.has(path)) await rm(join(folders.to, path), { force: true });
}

async function logFiles(session: SqlRunner): Promise<ReadonlySet<string>> {
  const { rows } = await session.run<{ readonly first: string; readonly last: string }>(LOG_FILES, []);
  return new Set(rows.flatMap(({ first, last }) => [first, last]));
}

function isOfLog(path: string): boolean {
  return path.startsWith(`${LOG_FOLDER}/`);
}

async function filesIn(folder: string): Promise<readonly string[]> {
  return pathsIn(folder, 'isFile');
}

/** The database needs those that are empty as well. */
async function makeFolders({ from, to }: Folders): Promise<void> {
  for (const path of await pathsIn(from, 'isDirectory')) await mkdir(join(to, path), { recursive: true, mode: 0o700 });
}

async function pathsIn(folder: string, kind: 'isFile' | 'isDirectory'): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry[kind]()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

async function seenAt(path: string): Promise<Seen | null> {
  const found = await stat(path, { bigint: true }).catch(absent);
  return found && { mtimeNs: found.mtimeNs, size: found.size };
}

/** @returns false when the file has gone: the database removes some while it works */
async function copied({ from, to }: Folders, path: string): Promise<boolean> {
  // Shares the blocks where the file system can.
  const done = await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE).then(() => true, absent);
  return done === true;
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
