import Type from 'typebox';
import { answerReport, presentFreshness, presentPeriod, share } from '#analytics/http/present/analytics';
import { ErrorRow, reportExample, reportFields } from '#analytics/http/schemas/analytics';
import { readBreakdown, readFreshness } from '#analytics/store/analytics-reads';
import { defineOperation } from '#http/operation';
import { periodFields, readReportQuery } from './report-query.ts';

/** More than there are codes. */
const MAX_CODES = 1_000;

export const getAnalyticsErrorsRoute = defineOperation({
  method: 'GET',
  path: '/v1/analytics/errors',
  operationId: 'getAnalyticsErrors',
  summary: 'Get failures by reason',
  description:
    'Returns how many of the messages accepted in a period failed, by error code. With `Accept: text/csv`, returns a table.',
  tag: 'Analytics',
  scope: 'analytics:read',
  query: Type.Object(periodFields, { additionalProperties: false }),
  answer: {
    status: 200,
    description: 'A row for each code, the most frequent first.',
    schema: Type.Object({ ...reportFields, data: Type.Array(ErrorRow) }, { description: 'Failures by code.' }),
    example: { ...reportExample, data: [] },
    csvExample: 'code,failed,share\r\n',
  },
  errors: [],
  handle: (context) => async (request, reply) => {
    const { tenantId, period, timeZone } = await readReportQuery(context, request);
    // Before the sums: what is added between the two may be in them, and nothing that it promises is missing.
    const freshness = presentFreshness(await readFreshness(context.db, tenantId));
    const rows = await readBreakdown(context.db, { tenantId, period, dimension: 'error', limit: MAX_CODES });
    const total = rows.reduce((sum, { counts }) => sum + counts.failed, 0);
    const data = rows.map(({ key, counts }) => ({
      code: key,
      failed: counts.failed,
      share: share(counts.failed, total),
    }));
    return answerReport(request, reply, {
      body: { ...presentPeriod(period), timezone: timeZone, ...freshness, data },
      columns: ['code', 'failed', 'share'],
      rows: data,
    });
  },
});
