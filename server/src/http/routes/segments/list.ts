import Type from 'typebox';
import { listSegments } from '#storage/segments';
import { answerList } from '../../lists/answer-list.ts';
import { defineOperation } from '../../operation.ts';
import { presentSegment } from '../../present/segment.ts';
import { pageExample, queryErrorExamples } from '../../schemas/examples.ts';
import { listOf, pageQuery } from '../../schemas/lists.ts';
import { SegmentView, segmentExample } from '../../schemas/segment.ts';

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
