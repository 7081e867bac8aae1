import Type from 'typebox';
import { presentSegment } from '#contacts/http/present/segment';
import { SegmentView, segmentExample } from '#contacts/http/schemas/segment';
import { listSegments } from '#contacts/store/segments';
import { answerList } from '#http/lists/answer-list';
import { defineOperation } from '#http/operation';
import { pageExample, queryErrorExamples } from '#http/schemas/examples';
import { listOf, pageQuery } from '#http/schemas/lists';

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
  answer: {
    status: 200,
    description: 'A page of segments.',
    schema: listOf(SegmentView, 'A page of segments, newest first.'),
    example: pageExample(segmentExample),
    headers: ['Link'],
  },
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
