import Type from 'typebox';
import { listMedia } from '#storage/media';
import { answerList } from '../../lists/answer-list.ts';
import { defineOperation } from '../../operation.ts';
import { presentMedia } from '../../present/media.ts';
import { pageExample, queryErrorExamples } from '../../schemas/examples.ts';
import { listOf, pageQuery } from '../../schemas/lists.ts';
import { MediaItem, mediaExample } from '../../schemas/media.ts';

export const listMediaRoute = defineOperation({
  method: 'GET',
  path: '/v1/media',
  operationId: 'listMedia',
  summary: 'List media',
  description: 'Returns media that was uploaded or received and has not expired, newest first.',
  tag: 'Media',
  scope: 'media:read',
  query: Type.Object(pageQuery, { additionalProperties: false }),
  answer: {
    status: 200,
    description: 'A page of media.',
    schema: listOf(MediaItem, 'A page of media, newest first.'),
    example: pageExample(mediaExample),
    headers: ['Link'],
  },
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
