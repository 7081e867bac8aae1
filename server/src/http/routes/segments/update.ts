import { updateSegment } from '#operations/manage-segments';
import { givenOnly } from '../../lists/filters.ts';
import { defineOperation } from '../../operation.ts';
import { requesterOf } from '../../plugins/auth.ts';
import { ifMatchHeader, matchingVersions, tagVersion } from '../../plugins/if-match.ts';
import { presentSegment } from '../../present/segment.ts';
import {
  ChangeSegment,
  SegmentIdParams,
  SegmentView,
  segmentBodyExample,
  segmentExample,
  staleSegmentExample,
} from '../../schemas/segment.ts';

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
    return async (request, reply) => {
      const { name, when: condition } = request.body;
      const segmentId = request.params.id.toLowerCase();
      const asked = { ...requesterOf(request), segmentId, versions: matchingVersions(request) };
      const segment = await updateSegment(rt, db, asked, givenOnly({ name, condition }));
      tagVersion(reply, segment.version);
      return presentSegment(segment);
    };
  },
});
