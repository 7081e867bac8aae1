import { readSegment } from '#contacts/actions/manage-segments';
import { presentSegment } from '#contacts/http/present/segment';
import { SegmentIdParams, SegmentView, segmentExample } from '#contacts/http/schemas/segment';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';

export const getSegmentRoute = defineOperation({
  method: 'GET',
  path: '/v1/segments/:id',
  operationId: 'getSegment',
  summary: 'Get a segment',
  description: 'Returns the condition, with a count of its contacts from within the last minute.',
  tag: 'Contacts',
  scope: 'contacts:read',
  params: SegmentIdParams,
  answer: {
    status: 200,
    description: 'The segment.',
    schema: SegmentView,
    example: segmentExample,
    headers: ['ETag'],
  },
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const segment = await readSegment(rt, db, tenantId, request.params.id.toLowerCase());
      return presentSegment(segment);
    };
  },
});
