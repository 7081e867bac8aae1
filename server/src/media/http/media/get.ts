import { requireFound } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { presentMedia } from '#media/http/present/media';
import { MediaIdParams, MediaItem, mediaExample } from '#media/http/schemas/media';
import { findMedia } from '#media/store/media';

export const getMediaRoute = defineOperation({
  method: 'GET',
  path: '/v1/media/:id',
  operationId: 'getMedia',
  summary: "Get a media file's metadata",
  description: 'Returns the type, size and hash of the media; its bytes are at /content.',
  tag: 'Media',
  scope: 'media:read',
  params: MediaIdParams,
  answer: { status: 200, description: 'The media.', schema: MediaItem, example: mediaExample },
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      return presentMedia(requireFound(await findMedia(db, tenantId, request.params.id.toLowerCase(), rt.clock.now())));
    };
  },
});
