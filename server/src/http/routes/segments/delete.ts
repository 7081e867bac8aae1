import Type from 'typebox';
import { deleteSegment } from '#operations/manage-segments';
import { defineOperation } from '../../operation.ts';
import { requesterOf } from '../../plugins/auth.ts';
import { ifMatchHeader, matchingVersions } from '../../plugins/if-match.ts';
import { choiceOf, uuid } from '../../schemas/fields.ts';
import { SegmentIdParams, segmentExample, staleSegmentExample } from '../../schemas/segment.ts';

const Deleted = Type.Object(
  { id: uuid('Identifier of the segment that is gone.'), status: choiceOf(['deleted'], 'It is gone.') },
  { description: 'The segment was deleted.' },
);

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
  answer: {
    status: 200,
    description: 'The segment was deleted.',
    schema: Deleted,
    example: { id: segmentExample.id ?? '', status: 'deleted' },
  },
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
