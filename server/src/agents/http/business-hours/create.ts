import { createHours } from '#agents/actions/manage-business-hours';
import { presentHours } from '#agents/http/present/business-hours';
import { CreateHours, HoursView, hoursExample, hoursInput } from '#agents/http/schemas/business-hours';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { readHoursInput, wholeWeek } from './hours-wish.ts';

export const createBusinessHoursRoute = defineOperation({
  method: 'POST',
  path: '/v1/business-hours',
  operationId: 'createBusinessHours',
  summary: 'Create business hours',
  description:
    'Creates a named timetable that teams and sending numbers can refer to. A day can have several intervals, which can extend past midnight; an interval belongs to the day on which it begins.',
  tag: 'Agents',
  scope: 'agents:write',
  body: CreateHours,
  bodyExamples: {
    shop: { summary: 'A shop with a break at noon and a long Friday', value: hoursInput },
    always: {
      summary: 'Around the clock on working days',
      value: { name: 'Hotline', timezone: 'Asia/Kolkata', weekly: { mon: [['00:00', '24:00']] } },
    },
  },
  takesIdempotencyKey: 'within',
  answer: {
    status: 201,
    description: 'The business hours were created and apply from now on.',
    schema: HoursView,
    example: hoursExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: [],
  handle: ({ rt }) => {
    return async (request, _reply, once) => {
      const { name, timezone, weekly } = request.body;
      const fields = {
        name,
        timezone,
        weekly: wholeWeek(weekly),
        holidays: [],
        isDefault: false,
        ...readHoursInput(request.body),
      };
      return once.change((db) => createHours(rt, db, { ...requesterOf(request), fields }), presentHours);
    };
  },
});
