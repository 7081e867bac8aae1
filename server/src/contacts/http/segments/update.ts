import { updateSegment } from '#contacts/actions/manage-segments';
import { presentSegment } from '#contacts/http/present/segment';
import {
  ChangeSegment,
  SegmentIdParams,
  SegmentView,
  segmentBodyExample,
  segmentExample,
  staleSegmentExample,
} from '#contacts/http/schemas/segment';
import { givenOnly } from '#http/lists/filters';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';

export const updateSegmentRoute = defineOperation({
  method: 'PATCH',
  path: '/v1/segments/:id',
  operationId: 'updateSegment',
  summary: 'Update a segment',
  description:
    'Updates the segment. Omitted fields stay unchanged. If the condition changes, its contacts are counted again.',
  tag: 'Contacts',
  scope: 'contacts:write',
  permission: 'contacts:manage',
  params: SegmentIdParams,
  body: ChangeSegment,
  bodyExamples: { all: { summary: 'Name and condition', value: segmentBodyExample } },
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The updated segment.',
    schema: SegmentView,
    example: segmentExample,
    headers: ['ETag'],
  },
  errors: ['not_found', 'precondition_failed'],
  errorExamples: [staleSegmentExample],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { name, when: condition } = request.body;
      const segmentId = request.params.id.toLowerCase();
      const asked = { ...requesterOf(request), segmentId, versions: matchingVersions(request) };
      const segment = await updateSegment(rt, db, asked, givenOnly({ name, condition }));
      return presentSegment(segment);
    };
  },
});
