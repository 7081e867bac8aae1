import { begunMs, MANIFEST, partsOf } from '#backups/domain/manifest';
import type { Archive } from '#blobs/archive';
import { removeBackup } from './create-backup.ts';
import { listBackupIds, readManifest } from './find-backup.ts';
import { mediaNames } from './media-files.ts';

/** A backup that has not been completed after this was killed. */
const UNFINISHED_MS = 24 * 60 * 60 * 1000;

export interface Pruned {
  readonly kept: readonly string[];
  readonly removed: readonly string[];
  /** Files of media that no backup needs any more. */
  readonly media: number;
  /** A backup that is being made, for whose sake all media was kept; null: there is none. */
  readonly unfinished: string | null;
}

/** Removes all but the newest backups of a location, those that were killed, and the media that only they had. */
export async function pruneBackups(
  archive: Archive,
  { keep, nowMs }: { readonly keep: number; readonly nowMs: number },
): Promise<Pruned> {
  const ids = await listBackupIds(archive);
  const whole: string[] = [];
  for (const id of ids) if ((await archive.size(`${id}/${MANIFEST}`)) !== null) whole.push(id);
  const kept = whole.slice(-keep);
  const unfinished = ids.filter((id) => !whole.includes(id) && nowMs - begunMs(id) < UNFINISHED_MS);
  const removed = ids.filter((id) => !kept.includes(id) && !unfinished.includes(id));
  for (const id of removed) await removeBackup(archive, id);
  const media = unfinished.length > 0 ? 0 : await removeMedia(archive, kept);
  return { kept, removed, media, unfinished: unfinished[0] ?? null };
}

async function removeMedia(archive: Archive, kept: readonly string[]): Promise<number> {
  const needed = new Set<string>();
  for (const id of kept) {
    const manifest = await readManifest(archive, id);
    for (const part of manifest === null ? [] : partsOf(manifest))
      for (const name of await mediaNames(archive, part)) needed.add(name);
  }
  const loose = (await archive.list('media')).map((name) => `media/${name}`).filter((name) => !needed.has(name));
  for (const name of loose) await archive.remove(name);
  return loose.length;
}
