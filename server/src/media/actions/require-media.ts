import { ApiProblem } from '#core/errors';
import type { MediaId, TenantId } from '#core/ids';
import type { SqlRunner } from '#database/database';
import { sendableAs } from '#media/domain/media';
import { findMedia } from '#media/store/media';
import type { Runtime } from '#runtime/runtime';

/**
 * Checks the `media_ids` of a body.
 * @throws ApiProblem validation_failed, in the same words whether nobody has a file or another tenant does
 */
export async function requireMedia(
  rt: Runtime,
  db: SqlRunner,
  tenantId: TenantId,
  mediaIds: readonly MediaId[],
): Promise<void> {
  for (const [index, mediaId] of mediaIds.entries()) {
    if ((await findMedia(db, tenantId, mediaId, rt.clock.now())) === null) throw gone(index);
  }
}

/** The same, and messages can carry each of them. @throws ApiProblem validation_failed */
export async function requireSendable(
  rt: Runtime,
  db: SqlRunner,
  tenantId: TenantId,
  mediaIds: readonly MediaId[],
): Promise<void> {
  for (const [index, mediaId] of mediaIds.entries()) {
    const media = await findMedia(db, tenantId, mediaId, rt.clock.now());
    if (media === null) throw gone(index);
    if (sendableAs(media).length === 0) {
      throw fault(index, `media_ids[${index}] is a file that the network does not send (${media.mimeType}).`);
    }
  }
}

function gone(index: number): ApiProblem {
  return fault(index, `media_ids[${index}] does not exist or has expired.`);
}

function fault(index: number, message: string): ApiProblem {
  return new ApiProblem('validation_failed', {
    sentence: message,
    details: [{ path: `body.media_ids[${index}]`, message }],
  });
}
