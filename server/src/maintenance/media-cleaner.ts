import type { BlobStore } from '#blobs/blob-store';
import type { DispatchDatabase } from '#operations/dispatch-database';
import { LOOSE_MS, removeExpiredMedia, removeLooseBlobs } from '#operations/tidy-media';
import type { Runtime } from '#runtime/runtime';

export interface MediaCleanup {
  readonly expired: number;
  readonly blobs: number;
  readonly staged: number;
}

/** One round: expired media, bytes without references, and what killed uploads left in the staging folder. */
export async function cleanMedia(rt: Runtime, db: DispatchDatabase, blobs: BlobStore): Promise<MediaCleanup> {
  const counts = {
    expired: await removeExpiredMedia(rt, db),
    blobs: await removeLooseBlobs(rt, db, (key) => blobs.remove(key)),
    staged: await blobs.sweep(rt.clock.now() - LOOSE_MS),
  };
  if (counts.expired + counts.blobs + counts.staged > 0) rt.log.info({ ...counts }, 'media.cleaned');
  return counts;
}
