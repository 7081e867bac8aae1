import Type from 'typebox';
import { MESSAGE_MEASURES } from '#core/analytics';
import { previousPeriod } from '#operations/report-period';
import { readFreshness, readTotals } from '#storage/analytics-reads';
import { defineOperation } from '../../operation.ts';
import { answerReport, presentCounts, presentFreshness, presentPeriod } from '../../present/analytics.ts';
import { CountsObject, noCountsExample, reportExample, reportFields } from '../../schemas/analytics.ts';
import { periodFields, readReportQuery, scopeFields } from './report-query.ts';

const SummaryObject = Type.Object(
  { ...reportFields, messages: CountsObject, previous: CountsObject },
  { description: 'Figures of a time, and of the time of the same length right before.' },
);

export const getAnalyticsSummary = defineOperation({
  method: 'GET',
  path: '/v1/analytics/summary',
  operationId: 'getAnalyticsSummary',
  summary: 'Read the figures of a time',
  description:
    'How many messages were accepted, sent, delivered, read, failed, answered and received in a time, and in the time right before. With `Accept: text/csv` as a table.',
  tag: 'Analytics',
  scope: 'analytics:read',
  query: Type.Object({ ...periodFields, ...scopeFields }, { additionalProperties: false }),
  answer: {
    status: 200,
    description: 'The figures.',
    schema: SummaryObject,
    example: { ...reportExample, messages: noCountsExample, previous: noCountsExample },
    csvExample: `period,${MESSAGE_MEASURES.join()}\r\ncurrent,0,0,0,0,0,0,0\r\nprevious,0,0,0,0,0,0,0\r\n`,
  },
  errors: [],
  handle: (context) => async (request, reply) => {
    const report = await readReportQuery(context, request);
    const previous = { ...report, period: previousPeriod(report.period) };
    const [now, before, freshness] = await Promise.all([
      readTotals(context.db, report),
      readTotals(context.db, previous),
      readFreshness(context.db, report.tenantId),
    ]);
    const [messages, past] = [presentCounts(now), presentCounts(before)];
    return answerReport(request, reply, {
      body: {
        ...presentPeriod(report.period),
        timezone: report.timeZone,
        ...presentFreshness(freshness),
        messages,
        previous: past,
      },
      columns: ['period', ...MESSAGE_MEASURES],
      rows: [
        { period: 'current', ...messages },
        { period: 'previous', ...past },
      ],
    });
  },
});
