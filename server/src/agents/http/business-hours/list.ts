import Type from 'typebox';
import { presentHours } from '#agents/http/present/business-hours';
import { HoursView, hoursExample } from '#agents/http/schemas/business-hours';
import { listHoursPage } from '#agents/store/business-hours';
import { answerList } from '#http/lists/answer-list';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation } from '#http/operation';
import { queryErrorExamples } from '#http/schemas/examples';
import { pageQuery } from '#http/schemas/lists';

export const listBusinessHoursRoute = defineOperation({
  method: 'GET',
  path: '/v1/business-hours',
  operationId: 'listBusinessHours',
  summary: 'List business hours',
  description: "Returns the tenant's business hours, newest first, and shows which of them are the default.",
  tag: 'Agents',
  scope: 'agents:read',
  query: Type.Object(pageQuery, { additionalProperties: false }),
  answer: pageAnswer('business hours', HoursView, hoursExample),
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
