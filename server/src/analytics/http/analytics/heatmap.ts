import Type from 'typebox';
import { clockStretches } from '#analytics/actions/report-period';
import { answerReport, presentFreshness, presentPeriod } from '#analytics/http/present/analytics';
import { HeatmapRow, reportExample, reportFields } from '#analytics/http/schemas/analytics';
import { readFreshness, readHeatmap } from '#analytics/store/analytics-reads';
import { defineOperation } from '#http/operation';
import { periodFields, readReportQuery, scopeFields } from './report-query.ts';

export const getAnalyticsHeatmapRoute = defineOperation({
  method: 'GET',
  path: '/v1/analytics/heatmap',
  operationId: 'getAnalyticsHeatmap',
  summary: 'Get the heatmap of messages by hour',
  description:
    'Returns messages by weekday and hour in the time zone: when customers write, and when messages are sent to them. With `Accept: text/csv`, returns a table.',
  tag: 'Analytics',
  scope: 'analytics:read',
  query: Type.Object({ ...periodFields, ...scopeFields }, { additionalProperties: false }),
  answer: {
    status: 200,
    description: 'A row for each hour of the week in which there were messages, starting on Monday.',
    schema: Type.Object({ ...reportFields, data: Type.Array(HeatmapRow) }, { description: 'Hours of the week.' }),
    example: { ...reportExample, data: [] },
    csvExample: 'weekday,hour,accepted,received\r\n',
  },
  errors: [],
  handle: (context) => async (request, reply) => {
    const report = await readReportQuery(context, request);
    // Before the sums: what is added between the two may be in them, and nothing that it promises is missing.
    const freshness = presentFreshness(await readFreshness(context.db, report.tenantId));
    const cells = await readHeatmap(context.db, report, clockStretches(report.timeZone, report.period));
    const data = cells.map(({ weekday, hour, accepted, received }) => ({ weekday, hour, accepted, received }));
    return answerReport(request, reply, {
      body: { ...presentPeriod(report.period), timezone: report.timeZone, ...freshness, data },
      columns: ['weekday', 'hour', 'accepted', 'received'],
      rows: data,
    });
  },
});
