import { hoursInUse, removeHours } from '#operations/manage-business-hours';
import { defineOperation } from '../../operation.ts';
import { requesterOf } from '../../plugins/auth.ts';
import { ifMatchHeader, matchingVersions } from '../../plugins/if-match.ts';
import { conflictExample, staleExample } from '../../schemas/agent.ts';
import { HoursIdParams, hoursExampleId } from '../../schemas/business-hours.ts';
import { Removed } from '../../schemas/removed.ts';

export const deleteBusinessHours = defineOperation({
  method: 'DELETE',
  path: '/v1/business-hours/:id',
  operationId: 'deleteBusinessHours',
  summary: 'Delete business hours',
  description: 'Deletes the business hours. Returns 409 while a team or a number refers to them.',
  tag: 'Agents',
  scope: 'agents:write',
  params: HoursIdParams,
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The business hours were deleted.',
    schema: Removed,
    example: { id: hoursExampleId, status: 'removed' },
  },
  errors: ['not_found', 'conflict', 'precondition_failed'],
  errorExamples: [conflictExample('inUse', hoursInUse('Support')), staleExample('timetable')],
  handle: (context) => {
    const { rt, db } = context;
    return async (request) => {
      const asked = { ...requesterOf(request), hoursId: request.params.id, versions: matchingVersions(request) };
      const { hoursId: id } = await removeHours(rt, db, asked);
      return { id, status: 'removed' };
    };
  },
});
