import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { checkKey } from './blob-store.ts';
import { asUnavailable, whenThere } from './staging-folder.ts';
import { sweepFolder } from './sweep-folder.ts';

/** The digest that a piece must have. */
export interface PieceDigest {
  readonly algorithm: 'sha1' | 'sha256' | 'md5';
  readonly base64: string;
}

/** Files that grow piece by piece over many requests, and over restarts: bytes that were written stay. */
export interface PartialStore {
  create(key: string): Promise<void>;
  /**
   * Writes a piece at the end of the file. What arrived before a stream broke stays, unless the piece has a digest:
   * then it counts only as a whole.
   * @returns the size of the file afterwards
   * @throws DigestMismatch, BlobStoreUnavailable; errors of the source
   */
  append(key: string, source: AsyncIterable<Uint8Array>, digest: PieceDigest | null): Promise<number>;
  /**
   * Bytes written so far; null when the file does not exist. @throws BlobStoreUnavailable: the upload must not start
   * over then
   */
  size(key: string): Promise<number | null>;
  /** All bytes written; null when the file does not exist. @throws BlobStoreUnavailable */
  open(key: string): Promise<Readable | null>;
  /** Of an upload that is over. Never fails: what cannot be removed now is left to the sweep. */
  remove(key: string): Promise<void>;
  /** Removes files that no process has written to for `idleMs`. @returns how many */
  sweep(idleMs: number): Promise<number>;
}

/** The piece does not have its digest; nothing of it was kept. */
export class DigestMismatch extends Error {
  override name = 'DigestMismatch';
}

/** @param folder shared by all processes that take pieces of the same upload */
export function makePartialStore(folder: string): PartialStore {
  const pathOf = (key: string): string => join(folder, checkKey(key));
  return {
    create: async (key) => {
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch(rejectUnavailable);
      await (await open(pathOf(key), 'wx', 0o600).catch(rejectUnavailable)).close();
    },
    append: (key, source, digest) => append(pathOf(key), source, digest),
    size: async (key) => (await whenThere(() => stat(pathOf(key))))?.size ?? null,
    open: async (key) => (await whenThere(() => open(pathOf(key), 'r')))?.createReadStream() ?? null,
    remove: (key) => rm(pathOf(key), { force: true }).catch(() => undefined),
    sweep: (idleMs) => sweepFolder(folder, idleMs),
  };
}

function rejectUnavailable(error: unknown): Promise<never> {
  return Promise.reject(asUnavailable(error));
}

async function append(path: string, source: AsyncIterable<Uint8Array>, digest: PieceDigest | null): Promise<number> {
  const file = await open(path, 'r+').catch(rejectUnavailable);
  try {
    const start = (await file.stat()).size;
    const hash = digest === null ? null : createHash(digest.algorithm);
    try {
      const end = await writeAt(file, { source, start, hash });
      if (hash && hash.digest('base64') !== digest?.base64) throw new DigestMismatch('The piece has another digest.');
      await file.datasync();
      return end;
    } catch (error) {
      if (digest !== null) await file.truncate(start);
      throw error;
    }
  } finally {
    await file.close();
  }
}

interface Piece {
  readonly source: AsyncIterable<Uint8Array>;
  readonly start: number;
  readonly hash: Hash | null;
}

async function writeAt(file: FileHandle, { source, start, hash }: Piece): Promise<number> {
  let position = start;
  for await (const chunk of source) {
    hash?.update(chunk);
    let done = 0;
    while (done < chunk.length) {
      const { bytesWritten } = await file
        .write(chunk, done, chunk.length - done, position + done)
        .catch(rejectUnavailable);
      done += bytesWritten;
    }
    position += chunk.length;
  }
  return position;
}
