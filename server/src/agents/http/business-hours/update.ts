import { changeHours } from '#agents/actions/manage-business-hours';
import { presentHours } from '#agents/http/present/business-hours';
import { staleExample } from '#agents/http/schemas/agent';
import { ChangeHours, HoursIdParams, HoursView, hoursExample } from '#agents/http/schemas/business-hours';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';
import { readHoursInput } from './hours-wish.ts';

export const updateBusinessHoursRoute = defineOperation({
  method: 'PATCH',
  path: '/v1/business-hours/:id',
  operationId: 'updateBusinessHours',
  summary: 'Update business hours',
  description:
    'Updates the business hours. Omitted fields stay unchanged; weekly and holidays are replaced as a whole.',
  tag: 'Agents',
  scope: 'agents:write',
  params: HoursIdParams,
  body: ChangeHours,
  bodyExamples: {
    holiday: { summary: 'Closed on a day', value: { holidays: [{ date: '2030-05-01', name: 'Labour Day' }] } },
    zone: { summary: 'Moved', value: { timezone: 'America/Sao_Paulo' } },
  },
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The updated business hours.',
    schema: HoursView,
    example: hoursExample,
    headers: ['ETag'],
  },
  errors: ['not_found', 'precondition_failed'],
  errorExamples: [staleExample('timetable')],
  handle: (context) => {
    const { rt, db } = context;
    return async (request) => {
      const asked = { ...requesterOf(request), hoursId: request.params.id, versions: matchingVersions(request) };
      const hours = await changeHours(rt, db, asked, readHoursInput(request.body));
      return presentHours(hours);
    };
  },
});
