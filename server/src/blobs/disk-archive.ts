import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Archive, ArchiveUnavailable, checkName } from './archive.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** The end of the name of a file that is being written. */
const UNFINISHED = '.part';

/** Files below a folder, for this user alone. A file is written beside its name, synced, and then renamed. */
export function makeDiskArchive(folder: string): Archive {
  const pathOf = (name: string): string => join(folder, checkName(name));
  const failed = (error: unknown): never => {
    throw isOfSystem(error) ? new ArchiveUnavailable(folder, error) : error;
  };
  return {
    location: folder,
    write: async (name, source) => writeFile(pathOf(name), source).catch(failed),
    read: async (name) => {
      const handle = await absent(open(pathOf(name), 'r')).catch(failed);
      return handle?.createReadStream() ?? null;
    },
    size: async (name) => (await absent(stat(pathOf(name))).catch(failed))?.size ?? null,
    folders: async () => {
      const entries = (await absent(readdir(folder, { withFileTypes: true })).catch(failed)) ?? [];
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    },
    list: async (name) => listFiles(pathOf(name)).catch(failed),
    remove: async (name) => {
      await rm(pathOf(name), { force: true }).catch(failed);
      await removeEmpty(dirname(pathOf(name)), folder);
    },
    close: async () => undefined,
  };
}

async function writeFile(path: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  const fresh = `${path}.${randomUUID().slice(0, 8)}${UNFINISHED}`;
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
  // Opened first: a source that fails at once would otherwise have its file made after it was removed.
  const handle = await open(fresh, 'wx', FILE_MODE);
  try {
    await pipeline(Readable.from(source), handle.createWriteStream({ flush: true }));
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => undefined);
    throw error;
  }
  // The new name itself must survive a power cut, not only the bytes.
  const parent = await open(dirname(path), 'r');
  await parent.sync().finally(() => parent.close());
}

async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = (await absent(readdir(folder, { withFileTypes: true, recursive: true }))) ?? [];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

/** Folders exist because of what is in them, as in a bucket. */
async function removeEmpty(folder: string, top: string): Promise<void> {
  for (let path = folder; path !== top; path = dirname(path)) {
    const isGone = await rmdir(path).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
}

/** @returns null when there is no such file */
async function absent<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
