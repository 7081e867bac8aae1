import Type from 'typebox';
import { presentSegment } from '#contacts/http/present/segment';
import { SegmentView, segmentExample } from '#contacts/http/schemas/segment';
import { listSegments } from '#contacts/store/segments';
import { answerList } from '#http/lists/answer-list';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation } from '#http/operation';
import { queryErrorExamples } from '#http/schemas/examples';
import { pageQuery } from '#http/schemas/lists';

const Query = Type.Object(pageQuery, { additionalProperties: false });

export const listSegmentsRoute = defineOperation({
  method: 'GET',
  path: '/v1/segments',
  operationId: 'listSegments',
  summary: 'List segments',
  description: 'Returns the named conditions about contacts, newest first, each with its last count.',
  tag: 'Contacts',
  scope: 'contacts:read',
  query: Query,
  answer: pageAnswer('segments', SegmentView, segmentExample),
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ db, cursorKey }) => {
    return (request, reply) =>
      answerList(request, reply, {
        cursorKey,
        name: 'segments',
        read: (tenantId, window) => listSegments(db, tenantId, window),
        idOf: (segment) => segment.segmentId,
        present: presentSegment,
      });
  },
});
