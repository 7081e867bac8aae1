import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { type BlobStore, type ByteRange, checkKey, type StagedBlob } from './blob-store.ts';
import { asUnavailable, type StagedFile, StagingFolder, whenThere } from './staging-folder.ts';

/**
 * Blobs as files: `<folder>/<ab>/<cd>/<key>`, sharded by the first characters of the key so that no folder grows beyond
 * what a directory listing can carry. A file is written elsewhere, synced, and then renamed: a key names either the
 * whole content or nothing.
 */
export function makeDiskStore(folder: string): BlobStore {
  const staging = new StagingFolder(join(folder, 'staging'));
  const pathOf = (key: string): string => {
    checkKey(key);
    return join(folder, key.slice(0, 2), key.slice(2, 4), key);
  };
  return {
    receive: async (source, maxBytes) => stagedBlob(await staging.receive(source, maxBytes), pathOf),
    open: (key, range) => openFile(pathOf(key), range),
    size: async (key) => (await whenThere(() => stat(pathOf(key))))?.size ?? null,
    remove: async (key) => void (await whenThere(() => rm(pathOf(key), { force: true }))),
    sweep: (idleMs) => staging.sweep(idleMs),
    close: async () => undefined,
  };
}

function stagedBlob({ path, ...facts }: StagedFile, pathOf: (key: string) => string): StagedBlob {
  return {
    ...facts,
    keep: async (key) => {
      const target = pathOf(key);
      try {
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        await rename(path, target);
        await syncFolder(dirname(target));
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    discard: () => rm(path, { force: true }).catch(() => undefined),
  };
}

/** The new name itself must survive a power cut, not only the bytes. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function openFile(path: string, range: ByteRange | undefined): Promise<Readable | null> {
  const handle = await whenThere<FileHandle>(() => open(path, 'r'));
  if (handle === null) return null;
  // The stream closes the handle at its end, or when it is destroyed.
  return handle.createReadStream(range ? { start: range.first, end: range.last } : {});
}
