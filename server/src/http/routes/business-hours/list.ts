import Type from 'typebox';
import { listHoursPage } from '#storage/business-hours';
import { answerPage, listWindow } from '../../lists/page.ts';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { presentHours } from '../../present/business-hours.ts';
import { HoursView, hoursExample } from '../../schemas/business-hours.ts';
import { pageExample, queryErrorExamples } from '../../schemas/examples.ts';
import { listOf, pageQuery } from '../../schemas/lists.ts';

export const listBusinessHours = defineOperation({
  method: 'GET',
  path: '/v1/business-hours',
  operationId: 'listBusinessHours',
  summary: 'List business hours',
  description: 'The business hours of the tenant, newest first, with which of them are the default ones.',
  tag: 'Agents',
  scope: 'agents:read',
  query: Type.Object(pageQuery, { additionalProperties: false }),
  answer: {
    status: 200,
    description: 'A page of business hours.',
    schema: listOf(HoursView, 'A page of business hours, newest first.'),
    example: pageExample(hoursExample),
    headers: ['Link'],
  },
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ db, cursorKey }) => {
    return async (request, reply) => {
      const { tenantId } = principalOf(request);
      const list = { name: 'business_hours', tenantId, filter: {} };
      const window = listWindow(request.query, list, cursorKey);
      const page = await listHoursPage(db, tenantId, window);
      return answerPage(request, reply, {
        page,
        window,
        list,
        cursorKey,
        idOf: ({ hoursId }) => hoursId,
        present: presentHours,
      });
    };
  },
});
