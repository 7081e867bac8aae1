import Type from 'typebox';
import { readMonthlyUsage } from '#billing/actions/read-usage';
import { presentUsage } from '#billing/http/present/billing';
import { UsageObject, usageExample } from '#billing/http/schemas/billing';
import { MONTH_NAME, monthAt, monthNamed } from '#core/calendar';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { PATTERN_SENTENCE, withExample } from '#http/schemas/fields';

const Query = Type.Object(
  {
    month: Type.Optional(
      withExample(
        Type.String({
          pattern: MONTH_NAME,
          [PATTERN_SENTENCE]: 'must be a month of the years 2000 to 8999, such as 2026-11',
          description: 'A calendar month (UTC) as YYYY-MM; default: the current one.',
        }),
        '2030-01',
      ),
    ),
  },
  { additionalProperties: false },
);

export const getUsageRoute = defineOperation({
  method: 'GET',
  path: '/v1/usage',
  operationId: 'getUsage',
  summary: 'Get the usage of a month',
  description: "Returns what was used in one calendar month (UTC), and how much of the plan's fair use that is.",
  tag: 'Billing',
  scope: 'billing:read',
  query: Query,
  answer: { status: 200, description: 'The usage of the month.', schema: UsageObject, example: usageExample },
  errors: [],
  handle: ({ rt, db }) => {
    return async (request) => {
      const named = request.query.month === undefined ? null : monthNamed(request.query.month);
      const month = named ?? monthAt(rt.clock.now());
      return presentUsage(await readMonthlyUsage(db, principalOf(request).tenantId, month));
    };
  },
});
