import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CliError, EXIT } from '#cli/exit';
import type { BlobId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { OperatorError } from '#core/operator-error';
import { blobKey } from '#media/domain/blob-key';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const MANIFEST = 'manifest.json';

/** What a file holds. */
export interface WrittenFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** The bytes under a key of the media store; null when there are none. */
export type ReadMedia = (key: string) => Promise<Readable | null>;

/**
 * Makes the folder of an export, for this user alone.
 * @throws OperatorError when it exists or cannot be made: nothing of another export is ever mixed in or replaced
 */
export async function makeExportFolder(folder: string): Promise<void> {
  if (!isAbsolute(folder)) throw new CliError(EXIT.usage, 'folder must be an absolute path.');
  try {
    await mkdir(folder, { mode: FOLDER_MODE });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new OperatorError(`${folder} already exists. Name a folder that does not exist.`);
    throw new OperatorError(`${folder} cannot be created (${code}).`);
  }
  for (const name of ['tables', 'media']) await mkdir(join(folder, name), { mode: FOLDER_MODE });
}

/** Replaces the manifest in one step: it is whole whenever it is read. */
export async function writeManifest(folder: string, manifest: JsonObject): Promise<void> {
  const fresh = join(folder, `${MANIFEST}.new`);
  await writeFile(fresh, `${JSON.stringify(manifest, null, 2)}\n`, { mode: FILE_MODE, flush: true });
  await rename(fresh, join(folder, MANIFEST));
}

/** Writes rows, one JSON object per line. */
export async function writeRows(
  path: string,
  portions: AsyncIterable<readonly string[]>,
): Promise<WrittenFile & { readonly rows: number }> {
  let rows = 0;
  async function* lines(): AsyncGenerator<Buffer> {
    for await (const portion of portions) {
      rows += portion.length;
      yield Buffer.from(portion.map((line) => `${line}\n`).join(''));
    }
  }
  const written = await writeBytes(path, lines());
  return { rows, ...written };
}

async function writeBytes(path: string, source: AsyncIterable<Buffer>): Promise<WrittenFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  await pipeline(counted(), createWriteStream(path, { flags: 'wx', mode: FILE_MODE, flush: true }));
  return { bytes, sha256: hash.digest('hex') };
}

/** Files of an export, and what of them could not be had. */
export interface WrittenMedia {
  readonly files: number;
  readonly bytes: number;
  /** Removed since the rows were read, or damaged. */
  readonly missing: number;
}

/** Copies the bytes of every blob in `media_blobs`, each under its key, and compares them with their hash. */
export async function writeMedia(folder: string, read: ReadMedia): Promise<WrittenMedia> {
  const lines = createInterface({ input: createReadStream(join(folder, 'tables', 'media_blobs.ndjson')) });
  let [files, bytes, missing] = [0, 0, 0];
  for await (const line of lines) {
    const { sha256, blob_id: blobId } = JSON.parse(line) as { readonly sha256: string; readonly blob_id: BlobId };
    const key = blobKey(sha256, blobId);
    const path = join(folder, 'media', key);
    const source = await read(key);
    const written = source === null ? null : await writeBytes(path, source);
    if (written?.sha256 === sha256) {
      files += 1;
      bytes += written.bytes;
      continue;
    }
    missing += 1;
    await rm(path, { force: true });
  }
  return { files, bytes, missing };
}
