import { hoursInUse, removeHours } from '#agents/actions/manage-business-hours';
import { agentConflictExample, staleExample } from '#agents/http/schemas/agent';
import { HoursIdParams, hoursExampleId } from '#agents/http/schemas/business-hours';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';
import { deletedAnswer } from '#http/schemas/deleted';

export const deleteBusinessHoursRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/business-hours/:id',
  operationId: 'deleteBusinessHours',
  summary: 'Delete business hours',
  description: 'Deletes the business hours. Returns 409 while a team or a number refers to them.',
  tag: 'Agents',
  scope: 'agents:write',
  params: HoursIdParams,
  requestHeaders: [ifMatchHeader],
  answer: deletedAnswer('The business hours were deleted.', hoursExampleId),
  errors: ['not_found', 'conflict', 'precondition_failed'],
  errorExamples: [agentConflictExample('inUse', hoursInUse('Support')), staleExample('timetable')],
  handle: (context) => {
    const { rt, db } = context;
    return async (request) => {
      const asked = { ...requesterOf(request), hoursId: request.params.id, versions: matchingVersions(request) };
      const { hoursId: id } = await removeHours(rt, db, asked);
      return { id, status: 'deleted' };
    };
  },
});
