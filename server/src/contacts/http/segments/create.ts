import { createSegment } from '#contacts/actions/manage-segments';
import { presentSegment } from '#contacts/http/present/segment';
import { CreateSegment, SegmentView, segmentBodyExample, segmentExample } from '#contacts/http/schemas/segment';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';

export const createSegmentRoute = defineOperation({
  method: 'POST',
  path: '/v1/segments',
  operationId: 'createSegment',
  summary: 'Create a segment',
  description: 'Creates a named condition about contacts. Its members are determined each time the segment is used.',
  tag: 'Contacts',
  scope: 'contacts:write',
  permission: 'contacts:manage',
  body: CreateSegment,
  bodyExamples: { tag: { summary: 'Everyone with a tag', value: segmentBodyExample } },
  takesIdempotencyKey: true,
  answer: {
    status: 201,
    description: 'The segment was created.',
    schema: SegmentView,
    example: { ...segmentExample, count: null, evaluated_at: null },
    headers: ['Idempotent-Replayed', 'ETag'],
  },
  errors: [],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { name, when: condition } = request.body;
      const segment = await createSegment(rt, db, requesterOf(request), { name, condition });
      return presentSegment(segment);
    };
  },
});
