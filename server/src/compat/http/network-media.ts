import type { FastifyRequest } from 'fastify';
import { ApiProblem } from '#core/errors';
import type { JsonObject } from '#core/json';
import type { Operation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { deleteMedia } from '#media/actions/delete-media';
import { storeMedia } from '#media/actions/store-media';
import type { Media } from '#media/domain/media';
import { arrivedMedia, type FormFields, uploadOnce } from '#media/http/receive-file';
import { ANY_ID, AnyBody, networkRoutes } from './network-operation.ts';
import { ownNumber } from './own-number.ts';

/** What clients of the network put into the form of an upload. `type` may be a kind such as `image`, which declares nothing. */
const FORM: FormFields = { known: ['messaging_product', 'type', 'ttl_minutes'], declaredIn: 'type' };

/** POST /{phone_number_id}/media: a file that can be sent from any number of the tenant. */
export const networkUploadRoutes: readonly Operation[] = networkRoutes({
  method: 'POST',
  path: '/:id(^\\d+$)/media',
  operationId: 'networkUploadMedia',
  scope: 'media:write',
  form: AnyBody,
  takesIdempotencyKey: 'within',
  errors: ['not_found', 'media_quota_exceeded', 'media_store_unavailable'],
  handle: (context) => async (request, _reply, once) => {
    await ownNumber(context, request);
    const { rt, db } = context;
    return uploadOnce(
      context,
      request,
      once,
      async (file, tenantId) => {
        const { mediaId } = await storeMedia(rt, db, arrivedMedia(file, { tenantId, origin: 'upload' }));
        return { id: mediaId };
      },
      FORM,
    );
  },
});

/** DELETE /{media_id}. */
export const networkDeleteMediaRoutes: readonly Operation[] = networkRoutes({
  method: 'DELETE',
  path: ANY_ID,
  operationId: 'networkDeleteMedia',
  scope: 'media:write',
  errors: ['not_found'],
  handle:
    ({ rt, db }) =>
    async (request) => {
      const { id } = request.params as { readonly id: string };
      if (!(await deleteMedia(rt, db, requesterOf(request), id.toLowerCase()))) throw new ApiProblem('not_found');
      return { success: true };
    },
});

/** Media as the network shows it. Its address is that of our own API, where the same key opens it. */
export function presentMediaNode(media: Media, request: Pick<FastifyRequest, 'protocol' | 'host'>): JsonObject {
  return {
    messaging_product: 'whatsapp',
    url: `${request.protocol}://${request.host}/v1/media/${media.mediaId}/content`,
    mime_type: media.mimeType,
    sha256: media.sha256,
    file_size: media.size,
    id: media.mediaId,
  };
}
