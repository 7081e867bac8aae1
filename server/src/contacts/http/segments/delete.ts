import { deleteSegment } from '#contacts/actions/manage-segments';
import { SegmentIdParams, segmentExample, staleSegmentExample } from '#contacts/http/schemas/segment';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';
import { deletedAnswer } from '#http/schemas/deleted';

export const deleteSegmentRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/segments/:id',
  operationId: 'deleteSegment',
  summary: 'Delete a segment',
  description: 'Deletes the segment with immediate effect; its contacts stay.',
  tag: 'Contacts',
  scope: 'contacts:write',
  permission: 'contacts:manage',
  params: SegmentIdParams,
  requestHeaders: [ifMatchHeader],
  answer: deletedAnswer('The segment was deleted.', segmentExample.id),
  errors: ['not_found', 'precondition_failed'],
  errorExamples: [staleSegmentExample],
  handle: ({ rt, db }) => {
    return async (request) => {
      const segmentId = request.params.id.toLowerCase();
      await deleteSegment(rt, db, { ...requesterOf(request), segmentId, versions: matchingVersions(request) });
      return { id: segmentId, status: 'deleted' };
    };
  },
});
