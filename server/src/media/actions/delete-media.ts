import { audit } from '#access/actions/audit';
import type { Requester } from '#core/caller/origin';
import { isUuid } from '#core/ids';
import type { Database } from '#database/database';
import { deleteMediaRow } from '#media/store/media';
import { loosenBlob } from '#media/store/media-blobs';
import type { Runtime } from '#runtime/runtime';

/** Removes media of a tenant; its bytes follow when nothing else refers to them. @returns false when there is none */
export async function deleteMedia(
  rt: Runtime,
  db: Database,
  { tenantId, origin }: Requester,
  mediaId: string,
): Promise<boolean> {
  if (!isUuid(mediaId)) return false;
  const nowMs = rt.clock.now();
  return db.transaction(async (tx) => {
    const blobId = await deleteMediaRow(tx, tenantId, mediaId, nowMs);
    if (blobId === null) return false;
    await loosenBlob(tx, tenantId, blobId, nowMs);
    await audit(rt, tx, { tenantId, origin, action: 'media.deleted', targetId: mediaId, details: {} });
    return true;
  });
}
