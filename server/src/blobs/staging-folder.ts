import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobStoreUnavailable, BlobTooLarge, HEAD_BYTES } from './blob-store.ts';

/** A complete file that is not kept yet. */
export interface StagedFile {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
  readonly head: Uint8Array;
}

/** Turns a failure of the file system into the one failure that callers know. */
export function asUnavailable(error: unknown): BlobStoreUnavailable {
  return new BlobStoreUnavailable(`The media store failed (${(error as Error).message}).`, { cause: error });
}

/** Where bytes are written while they arrive: a name of its own each, so that processes can share the folder. */
export class StagingFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Writes a stream to a file of its own and to disk (fsync). Backpressure comes from awaiting each write, so the
   * memory of an upload is one chunk and the head.
   * @throws BlobTooLarge, BlobStoreUnavailable; whatever the source fails with. The file is gone then.
   */
  async receive(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedFile> {
    const path = join(this.#folder, randomUUID());
    const handle = await this.#create(path);
    try {
      const written = await copy(source, handle, maxBytes);
      await handle.sync().catch((error: unknown) => Promise.reject(asUnavailable(error)));
      return { path, ...written };
    } catch (error) {
      await rm(path, { force: true }).catch(() => undefined);
      throw error;
    } finally {
      await handle.close().catch(() => undefined);
    }
  }

  /** Files last written before `beforeMs`: their process was killed. */
  async sweep(beforeMs: number): Promise<number> {
    let removed = 0;
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const path = join(this.#folder, name);
      const found = await stat(path).catch(() => null);
      if (found === null || found.mtimeMs >= beforeMs) continue;
      await rm(path, { force: true }).catch(() => undefined);
      removed += 1;
    }
    return removed;
  }

  async #create(path: string): Promise<FileHandle> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      return await open(path, 'wx', 0o600);
    } catch (error) {
      throw asUnavailable(error);
    }
  }
}

async function copy(
  source: AsyncIterable<Uint8Array>,
  handle: FileHandle,
  maxBytes: number,
): Promise<Omit<StagedFile, 'path'>> {
  const hash = createHash('sha256');
  const heads: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    if (size < HEAD_BYTES) heads.push(chunk.slice(0, HEAD_BYTES - size));
    size += chunk.length;
    if (size > maxBytes) throw new BlobTooLarge(`There are more than ${maxBytes} bytes.`);
    hash.update(chunk);
    await writeAll(handle, chunk);
  }
  return { sha256: hash.digest('hex'), size, head: Buffer.concat(heads) };
}

/** A write may be short; the rest is written again. */
async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  let offset = 0;
  while (offset < chunk.length) {
    const { bytesWritten } = await handle
      .write(chunk, offset)
      .catch((error: unknown) => Promise.reject(asUnavailable(error)));
    offset += bytesWritten;
  }
}
