import Type from 'typebox';
import { ApiProblem } from '#core/errors';
import { deleteMedia } from '#operations/delete-media';
import { defineOperation } from '../../operation.ts';
import { requesterOf } from '../../plugins/auth.ts';
import { choiceOf, uuid } from '../../schemas/fields.ts';
import { MediaIdParams, uploadedExample } from '../../schemas/media.ts';

const Deleted = Type.Object(
  {
    media_id: uuid('Identifier of the media that is gone.'),
    status: choiceOf(['deleted'], 'It cannot be read or sent any more.'),
  },
  { description: 'The media is gone.' },
);

export const deleteMediaRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/media/:id',
  operationId: 'deleteMedia',
  summary: 'Delete media',
  description:
    'It can neither be read nor sent from now on; a queued message that names it fails. Messages that were sent keep what they showed.',
  tag: 'Media',
  scope: 'media:write',
  params: MediaIdParams,
  answer: {
    status: 200,
    description: 'The media is gone.',
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
