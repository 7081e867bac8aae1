import type { BlobStore } from '#blobs/blob-store';
import type { PartialStore } from '#blobs/partial-store';
import { keepReplyFiles } from '#conversations/actions/keep-reply-files';
import type { Database } from '#database/database';
import { LOOSE_MS, removeExpiredMedia, removeLooseBlobs } from '#media/actions/clean-up-media';
import { removeStaleUploads } from '#media/actions/resumable-uploads';
import { UNFINISHED_LIFETIME_MS } from '#media/domain/resumable-upload';
import type { Runtime } from '#runtime/runtime';

export interface MediaCleanup {
  readonly expired: number;
  readonly blobs: number;
  readonly staged: number;
  readonly uploads: number;
  readonly partials: number;
}

export interface MediaPlaces {
  readonly blobs: BlobStore;
  readonly partials: PartialStore;
}

/**
 * One round: files that canned replies need longer, expired media, bytes without references, uploads that were not completed, and what killed processes left
 * in the staging folder.
 */
export async function cleanMedia(rt: Runtime, db: Database, { blobs, partials }: MediaPlaces): Promise<MediaCleanup> {
  await keepReplyFiles(rt, db);
  const counts = {
    expired: await removeExpiredMedia(rt, db),
    blobs: await removeLooseBlobs(rt, db, (key) => blobs.remove(key)),
    staged: await blobs.sweep(LOOSE_MS),
    uploads: await removeStaleUploads(rt, db),
    partials: await partials.sweep(UNFINISHED_LIFETIME_MS),
  };
  if (Object.values(counts).some((count) => count > 0)) rt.log.info({ ...counts }, 'media.cleaned');
  return counts;
}
