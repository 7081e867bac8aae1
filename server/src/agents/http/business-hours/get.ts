import { presentHours } from '#agents/http/present/business-hours';
import { HoursIdParams, HoursView, hoursExample } from '#agents/http/schemas/business-hours';
import { findHours } from '#agents/store/business-hours';
import { requireFound } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';

export const getBusinessHoursRoute = defineOperation({
  method: 'GET',
  path: '/v1/business-hours/:id',
  operationId: 'getBusinessHours',
  summary: 'Get business hours',
  description: 'Returns the timetable as it was set up, with every day of the week and the holidays.',
  tag: 'Agents',
  scope: 'agents:read',
  params: HoursIdParams,
  answer: { status: 200, description: 'The hours.', schema: HoursView, example: hoursExample, headers: ['ETag'] },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request) => {
      return presentHours(requireFound(await findHours(db, principalOf(request).tenantId, request.params.id)));
    };
  },
});
