import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { noHandleFor, yieldsHandle } from '#media/domain/resumable-upload';
import { findMedia } from '#media/store/media';
import { findUpload } from '#media/store/resumable-uploads';
import type { Runtime } from '#runtime/runtime';
import { completeAtOnce } from './resumable-uploads.ts';

const ASK_AGAIN_MS = 100;
/** A person waits; the network takes a second or two for a file. */
const MAX_WAIT_MS = 25_000;

/**
 * A fresh handle of the network for a stored media: handles expire, so none is used twice. Asks the database, because the
 * process that talks to the network may be another one.
 * @param place of the request that names the media, for the answer that refuses it
 * @throws ApiProblem unknown_media, handle_refused, handle_unavailable
 */
export async function obtainMediaHandle(
  { rt, db }: { readonly rt: Runtime; readonly db: Database },
  tenantId: TenantId,
  mediaId: string,
  place = 'template.components',
): Promise<string> {
  const media = await findMedia(db, tenantId, mediaId.toLowerCase(), rt.clock.now());
  if (media === null) throw refusedMedia('unknown_media', UNKNOWN_SAMPLE, place);
  const { size, filename, mimeType } = media;
  if (!yieldsHandle(mimeType)) throw refusedMedia('handle_refused', noHandleFor(mimeType), place);
  const { uploadId, tie } = completeAtOnce(rt, { tenantId, size, filename, mimeType, metadata: null });
  await db.transaction((tx) => tie(tx, media));
  const endMs = rt.clock.monotonic() + MAX_WAIT_MS;
  while (rt.clock.monotonic() < endMs) {
    const upload = await findUpload(db, tenantId, uploadId);
    if (upload?.handle) return upload.handle;
    if (upload?.status === 'failed') {
      const why = upload.error?.message ?? 'it did not say why.';
      throw new ApiProblem('handle_refused', { sentence: `The network did not issue a handle: ${why}` });
    }
    await new Promise<void>((resolve) => rt.clock.after(ASK_AGAIN_MS, resolve));
  }
  throw new ApiProblem('handle_unavailable');
}

/** The refusal of a sample that names no stored media. */
export const UNKNOWN_SAMPLE = 'A sample names a media_id that does not exist or has expired.';

function refusedMedia(code: 'unknown_media' | 'handle_refused', sentence: string, path: string): ApiProblem {
  return new ApiProblem(code, { sentence, details: [{ path, message: sentence }] });
}
