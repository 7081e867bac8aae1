import { text } from 'node:stream/consumers';
import { BackupUnusable, isBackupId, MANIFEST, type Manifest, parseManifest } from '#backups/domain/manifest';
import type { Archive } from '#blobs/archive';

/** Ids of all backups of a location, the oldest first: whole ones, and others. */
export async function listBackupIds(archive: Archive): Promise<readonly string[]> {
  return (await archive.folders()).filter(isBackupId).toSorted();
}

/** Null when the backup has none: it was not completed. @throws BackupUnusable */
export async function readManifest(archive: Archive, id: string): Promise<Manifest | null> {
  const stored = await archive.read(`${id}/${MANIFEST}`);
  return stored && parseManifest(await text(stored), id);
}

/**
 * The backup that is named, or the newest whole one.
 * @throws BackupUnusable when there is none
 */
export async function findBackup(archive: Archive, wanted: string | null): Promise<Manifest> {
  const ids = wanted === null ? (await listBackupIds(archive)).toReversed() : [wanted];
  for (const id of ids) {
    const manifest = await readManifest(archive, id);
    if (manifest !== null) return manifest;
  }
  if (wanted !== null)
    throw new BackupUnusable(`${archive.location} has no backup ${wanted}, or it was not completed.`);
  throw new BackupUnusable(`${archive.location} has no complete backup.`);
}
