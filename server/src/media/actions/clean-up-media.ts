import type { Database } from '#database/database';
import { blobKey } from '#media/domain/blob-key';
import { condemnBlobs, expireMedia, forgetBlobs } from '#media/store/media-blobs';
import type { Runtime } from '#runtime/runtime';

/** Longer than any upload needs between its claim of a blob and its media row. */
export const LOOSE_MS = 60 * 60 * 1000;
/** After so long the bytes of deleted media are gone: the time above, and the rounds of the cleaner. */
export const BLOB_REMOVAL_MS = 2 * LOOSE_MS;
/** Batches per round, so that one round stays short. */
const MAX_BATCHES = 20;

/** Deletes media whose time is over; the bytes follow later. @returns how much */
export async function removeExpiredMedia(rt: Runtime, db: Database): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const count = await expireMedia(db, rt.clock.now());
    removed += count;
    if (count === 0) break;
  }
  return removed;
}

/**
 * Removes bytes that nothing refers to. First the blob is closed for new uploads, then its bytes go, then its row:
 * killed in between, the next round does the rest.
 * @param remove takes the bytes under a key out of the media store
 */
export async function removeLooseBlobs(
  rt: Runtime,
  db: Database,
  remove: (key: string) => Promise<void>,
): Promise<number> {
  const dead = await condemnBlobs(db, rt.clock.now() - LOOSE_MS);
  for (const { sha256, blobId } of dead) await remove(blobKey(sha256, blobId));
  if (dead.length > 0) await forgetBlobs(db, dead);
  return dead.length;
}
