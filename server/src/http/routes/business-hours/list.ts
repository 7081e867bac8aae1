import Type from 'typebox';
import { listHoursPage } from '#storage/business-hours';
import { answerList } from '../../lists/answer-list.ts';
import { defineOperation } from '../../operation.ts';
import { presentHours } from '../../present/business-hours.ts';
import { HoursView, hoursExample } from '../../schemas/business-hours.ts';
import { pageExample, queryErrorExamples } from '../../schemas/examples.ts';
import { listOf, pageQuery } from '../../schemas/lists.ts';

export const listBusinessHours = defineOperation({
  method: 'GET',
  path: '/v1/business-hours',
  operationId: 'listBusinessHours',
  summary: 'List business hours',
  description: "Returns the tenant's business hours, newest first, and shows which of them are the default.",
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
    return (request, reply) =>
      answerList(request, reply, {
        cursorKey,
        name: 'business_hours',
        read: (tenantId, window) => listHoursPage(db, tenantId, window),
        idOf: ({ hoursId }) => hoursId,
        present: presentHours,
      });
  },
});
