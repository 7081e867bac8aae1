import { createHash } from 'node:crypto';
import { BackupUnusable, type Manifest, type MediaEntry, mediaName, type TableEntry } from '#backups/domain/manifest';
import type { Archive } from '#blobs/archive';
import type { BlobStore } from '#blobs/blob-store';
import type { BlobId } from '#core/ids';
import { blobKey } from '#media/domain/blob-key';
import { readTable } from './row-files.ts';

const BLOBS_TABLE = 'media_blobs';

/** Bytes of media as a row names them. */
interface Blob {
  readonly key: string;
  readonly sha256: string;
  readonly size: number;
}

async function* blobsIn(archive: Archive, entry: TableEntry | undefined): AsyncGenerator<Blob> {
  if (entry === undefined) return;
  const [id, hash, size] = ['blob_id', 'sha256', 'size'].map((column) => entry.columns.indexOf(column));
  for await (const lines of readTable(archive, BLOBS_TABLE, entry)) {
    for (const line of lines) {
      const values = JSON.parse(line) as readonly string[];
      const sha256 = String(values[hash ?? -1]);
      yield { key: blobKey(sha256, values[id ?? -1] as BlobId), sha256, size: Number(values[size ?? -1]) };
    }
  }
}

interface Copying {
  readonly archive: Archive;
  readonly store: BlobStore;
  readonly tables: Manifest['tables'];
}

/** Copies the bytes that the rows of a backup name, but for those that an earlier backup of the location has: they never change. */
export async function copyMedia({
  archive,
  store,
  tables,
}: Copying): Promise<Pick<MediaEntry, 'files' | 'bytes' | 'missing'>> {
  const missing: string[] = [];
  let [files, bytes] = [0, 0];
  for await (const blob of blobsIn(archive, tables[BLOBS_TABLE])) {
    const isThere = (await archive.size(mediaName(blob.key))) === blob.size || (await copyOne(archive, store, blob));
    if (!isThere) {
      missing.push(blob.key);
      continue;
    }
    files += 1;
    bytes += blob.size;
  }
  return { files, bytes, missing };
}

/** @returns false when its bytes are gone or damaged: nothing is then left of them in the archive */
async function copyOne(archive: Archive, store: BlobStore, { key, sha256 }: Blob): Promise<boolean> {
  const source = await store.open(key);
  if (source === null) return false;
  const hash = createHash('sha256');
  async function* hashed(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      hash.update(chunk);
      yield chunk;
    }
  }
  await archive.write(mediaName(key), hashed(source));
  if (hash.digest('hex') === sha256) return true;
  await archive.remove(mediaName(key));
  return false;
}

/**
 * Puts the bytes of a backup into the media store, but for those that it has.
 * @returns how many files there are now
 * @throws BackupUnusable when one is missing from the backup, or damaged
 */
export async function restoreMedia(archive: Archive, store: BlobStore, { tables, media }: Manifest): Promise<number> {
  if (!media.copied) return 0;
  const missing = new Set(media.missing);
  let files = 0;
  for await (const blob of blobsIn(archive, tables[BLOBS_TABLE])) {
    if (missing.has(blob.key)) continue;
    if ((await store.size(blob.key)) !== blob.size) await restoreOne(archive, store, blob);
    files += 1;
  }
  return files;
}

async function restoreOne(archive: Archive, store: BlobStore, { key, sha256, size }: Blob): Promise<void> {
  const source = await archive.read(mediaName(key));
  if (source === null) throw new BackupUnusable(`${mediaName(key)} is missing from the backup.`);
  const staged = await store.receive(source, Math.max(1, size));
  if (staged.sha256 === sha256) return staged.keep(key);
  await staged.discard();
  throw new BackupUnusable(`${mediaName(key)} is damaged: it is not what was written.`);
}

/** Reads all media of a backup, and compares it with its hashes. @returns keys of files that are missing or damaged */
export async function checkMedia(archive: Archive, { tables, media }: Manifest): Promise<readonly string[]> {
  if (!media.copied) return [];
  const [missing, faults] = [new Set(media.missing), [] as string[]];
  for await (const { key, sha256 } of blobsIn(archive, tables[BLOBS_TABLE])) {
    if (missing.has(key)) continue;
    const source = await archive.read(mediaName(key));
    const hash = createHash('sha256');
    for await (const chunk of source ?? []) hash.update(chunk as Buffer);
    if (source === null || hash.digest('hex') !== sha256) faults.push(mediaName(key));
  }
  return faults;
}

/** Names of the files of media that a backup needs. */
export async function mediaNames(archive: Archive, { tables, media }: Manifest): Promise<readonly string[]> {
  const names: string[] = [];
  if (!media.copied) return names;
  for await (const { key } of blobsIn(archive, tables[BLOBS_TABLE])) names.push(mediaName(key));
  return names;
}
