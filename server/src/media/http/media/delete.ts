import Type from 'typebox';
import { ApiProblem } from '#core/errors';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { choiceOf, uuid } from '#http/schemas/fields';
import { deleteMedia } from '#media/actions/delete-media';
import { MediaIdParams, uploadedExample } from '#media/http/schemas/media';

const Deleted = Type.Object(
  {
    media_id: uuid('Identifier of the media that is gone.'),
    status: choiceOf(['deleted'], 'It cannot be read or sent any more.'),
  },
  { description: 'The media was deleted.' },
);

export const deleteMediaRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/media/:id',
  operationId: 'deleteMedia',
  summary: 'Delete media',
  description:
    'Deletes the media. It can no longer be read or sent, and queued messages that use it fail. Messages that were already sent keep what they showed.',
  tag: 'Media',
  scope: 'media:write',
  params: MediaIdParams,
  answer: {
    status: 200,
    description: 'The media was deleted.',
    schema: Deleted,
    example: { media_id: uploadedExample.media_id ?? '', status: 'deleted' },
  },
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      const mediaId = request.params.id.toLowerCase();
      const deleted = await deleteMedia(rt, db, requesterOf(request), mediaId);
      if (!deleted) throw new ApiProblem('not_found');
      return { media_id: mediaId, status: 'deleted' };
    };
  },
});
