import Type from 'typebox';
import { answerReport, presentCounts, presentFreshness, presentPeriod } from '#analytics/http/present/analytics';
import { presentConversationCounts } from '#analytics/http/present/conversation-analytics';
import { noCountsExample, PointObject, reportExample, reportFields } from '#analytics/http/schemas/analytics';
import { conversationCountColumns } from '#analytics/http/schemas/conversation-analytics';
import { readFreshness, readSeries, STEPS, stepStarts } from '#analytics/store/analytics-reads';
import { readConversationSeries } from '#analytics/store/conversation-analytics-reads';
import { NO_CONVERSATIONS } from '#conversations/domain/conversation-tally';
import { MESSAGE_MEASURES, NO_COUNTS } from '#events/domain/message-sums';
import { defineOperation } from '#http/operation';
import { choiceOf, withExample } from '#http/schemas/fields';
import { problemOf } from '#http/validation/faults';
import { formatRfc3339 } from '#http/validation/rfc3339';
import { figureScopes, talkFields } from './figure-scopes.ts';
import { periodFields, readReportQuery, scopeFields } from './report-query.ts';

/** Steps of one answer: a month of hours, a year of days. */
const MAX_STEPS = 800;

const Query = Type.Object(
  {
    ...periodFields,
    ...scopeFields,
    ...talkFields,
    interval: Type.Optional(
      withExample(choiceOf(STEPS, "The length of a step on the time zone's clocks; default day."), 'month'),
    ),
  },
  { additionalProperties: false },
);

const SeriesObject = Type.Object(
  { ...reportFields, interval: choiceOf(STEPS, 'The length of a step.'), data: Type.Array(PointObject) },
  { description: 'Figures for each step, without gaps.' },
);

const COLUMNS = ['start', ...MESSAGE_MEASURES, ...conversationCountColumns];

export const getAnalyticsTimeseriesRoute = defineOperation({
  method: 'GET',
  path: '/v1/analytics/timeseries',
  operationId: 'getAnalyticsTimeseries',
  summary: 'Get metrics over time',
  description:
    "Returns the figures of messages and conversations by hour, day, week or month in the time zone. Days are as long as the time zone's clocks make them. With `Accept: text/csv`, returns a table.",
  tag: 'Analytics',
  scope: 'analytics:read',
  query: Query,
  answer: {
    status: 200,
    description: 'A point for each step, including those in which nothing happened.',
    schema: SeriesObject,
    example: {
      ...reportExample,
      interval: 'month',
      data: [{ start: '2030-01-01T00:00:00.000Z', ...noCountsExample, ...presentConversationCounts(NO_CONVERSATIONS) }],
    },
    csvExample: `${COLUMNS.join()}\r\n2030-01-01T00:00:00.000Z,0,0,0,0,0,0,0,0,0,0,0,0\r\n`,
  },
  errors: [],
  handle: (context) => async (request, reply) => {
    const report = await readReportQuery(context, request);
    const interval = request.query.interval ?? 'day';
    const starts = await stepStarts(context.db, { ...report, step: interval });
    if (starts.length > MAX_STEPS) {
      const message = `interval ${interval} makes ${starts.length} steps of this time; at most ${MAX_STEPS} are answered.`;
      throw problemOf([{ path: 'query.interval', message }]);
    }
    const { messages: messagesOf, talks: talksOf } = figureScopes(request.query, report.scope);
    // Before the sums: what is added between the two may be in them, and nothing that it promises is missing.
    const freshness = await readFreshness(context.db, report.tenantId);
    const [points, talks] = await Promise.all([
      messagesOf === null ? null : readSeries(context.db, { ...report, scope: messagesOf }, starts),
      talksOf === null ? null : readConversationSeries(context.db, { ...report, scope: talksOf }, starts),
    ]);
    const data = starts.map((ms) => ({
      start: formatRfc3339(ms),
      ...presentCounts(points === null ? null : (points.get(ms) ?? NO_COUNTS)),
      ...presentConversationCounts(talks === null ? null : (talks.get(ms) ?? NO_CONVERSATIONS)),
    }));
    return answerReport(request, reply, {
      body: {
        ...presentPeriod(report.period),
        timezone: report.timeZone,
        ...presentFreshness(freshness),
        interval,
        data,
      },
      columns: COLUMNS,
      rows: data,
    });
  },
});
