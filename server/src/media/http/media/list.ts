import Type from 'typebox';
import { answerList } from '#http/lists/answer-list';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation } from '#http/operation';
import { queryErrorExamples } from '#http/schemas/examples';
import { pageQuery } from '#http/schemas/lists';
import { presentMedia } from '#media/http/present/media';
import { MediaItem, mediaExample } from '#media/http/schemas/media';
import { listMedia } from '#media/store/media';

export const listMediaRoute = defineOperation({
  method: 'GET',
  path: '/v1/media',
  operationId: 'listMedia',
  summary: 'List media',
  description: 'Returns media that was uploaded or received and has not expired, newest first.',
  tag: 'Media',
  scope: 'media:read',
  query: Type.Object(pageQuery, { additionalProperties: false }),
  answer: pageAnswer('media', MediaItem, mediaExample),
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ rt, db, cursorKey }) => {
    return (request, reply) =>
      answerList(request, reply, {
        cursorKey,
        name: 'media',
        read: (tenantId, window) => listMedia(db, tenantId, window, rt.clock.now()),
        idOf: (media) => media.mediaId,
        present: presentMedia,
      });
  },
});
