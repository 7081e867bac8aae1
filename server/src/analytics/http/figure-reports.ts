import Type from 'typebox';
import { readConversationFigures } from '#analytics/actions/conversation-figures';
import { previousPeriod } from '#analytics/actions/report-period';
import { readSeries, readTotals, STEPS, stepStarts } from '#analytics/store/analytics-reads';
import { readConversationSeries } from '#analytics/store/conversation-analytics-reads';
import { NO_CONVERSATIONS } from '#conversations/domain/conversation-tally';
import type { Period } from '#core/calendar';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Database } from '#database/database';
import { MESSAGE_MEASURES, type MessageCounts, NO_COUNTS } from '#events/domain/message-sums';
import type { Operation } from '#http/operation';
import { choiceOf, withExample } from '#http/schemas/fields';
import { formatRfc3339 } from '#http/validation/rfc3339';
import { type FigureScopes, figureScopes, talkFields } from './figure-scopes.ts';
import { presentConversationCounts, presentFigures } from './present/conversation-analytics.ts';
import { reportOperation } from './report.ts';
import { queryFault, scopeFields } from './report-query.ts';
import { CountsObject, noCountsExample, PointObject } from './schemas/analytics.ts';
import {
  ConversationsObject,
  conversationColumns,
  conversationCountColumns,
} from './schemas/conversation-analytics.ts';

const NullableCounts = Type.Unsafe({
  ...CountsObject,
  type: ['object', 'null'],
  description:
    'Message counts. Outbound messages count at the time they were accepted, regardless of what happened later. Null in reports of one agent, team, tag or handler.',
});

const getAnalyticsSummaryRoute = reportOperation({
  path: '/v1/analytics/summary',
  operationId: 'getAnalyticsSummary',
  summary: 'Get summary metrics',
  description:
    'Returns how many messages were accepted, sent, delivered, read, failed, answered and received in a period, how many conversations were opened, reopened and resolved, and how long customers waited, together with the same figures for the period immediately before it. With `Accept: text/csv`, returns a table.',
  query: { ...scopeFields, ...talkFields },
  answer: {
    description: 'The figures.',
    about: 'Figures for a period, and for the period of the same length immediately before it.',
    fields: {
      messages: NullableCounts,
      previous: NullableCounts,
      conversations: ConversationsObject,
      previous_conversations: ConversationsObject,
    },
    example: {
      messages: noCountsExample,
      previous: noCountsExample,
      conversations: null,
      previous_conversations: null,
    },
    csvLines: `current,0,0,0,0,0,0,0${','.repeat(conversationColumns.length)}\r\n`,
  },
  columns: ['period', ...MESSAGE_MEASURES, ...conversationColumns],
  read: async ({ db }, { tenantId, period, scope }, query) => {
    const scopes = figureScopes(query, scope);
    const [now, before] = await Promise.all([
      readFigures(db, { tenantId, period }, scopes),
      readFigures(db, { tenantId, period: previousPeriod(period) }, scopes),
    ]);
    return {
      fields: {
        messages: now.messages,
        previous: before.messages,
        conversations: now.conversations,
        previous_conversations: before.conversations,
      },
      rows: [
        { period: 'current', ...now.messages, ...now.conversations },
        { period: 'previous', ...before.messages, ...before.conversations },
      ],
    };
  },
});

/** What is known of a time; null where the report is about something that these have not. */
async function readFigures(
  db: Database,
  when: { readonly tenantId: TenantId; readonly period: Period },
  { messages, talks }: FigureScopes,
) {
  const [counts, figures] = await Promise.all([
    messages === null ? null : readTotals(db, { ...when, scope: messages }),
    talks === null ? null : readConversationFigures(db, { ...when, scope: talks }),
  ]);
  return {
    messages: counts === null ? null : presentCounts(counts),
    conversations: figures === null ? null : presentFigures(figures),
  };
}

/** Steps of one answer: a month of hours, a year of days. */
const MAX_STEPS = 800;

const getAnalyticsTimeseriesRoute = reportOperation({
  path: '/v1/analytics/timeseries',
  operationId: 'getAnalyticsTimeseries',
  summary: 'Get metrics over time',
  description:
    "Returns the figures of messages and conversations by hour, day, week or month in the time zone. Days are as long as the time zone's clocks make them. With `Accept: text/csv`, returns a table.",
  query: {
    ...scopeFields,
    ...talkFields,
    interval: Type.Optional(withExample(choiceOf(STEPS, 'Length of a step in the time zone. Default: day.'), 'month')),
  },
  answer: {
    description: 'A point for each step, including those in which nothing happened.',
    about: 'Figures for each step, without gaps.',
    fields: { interval: choiceOf(STEPS, 'Length of a step.'), data: Type.Array(PointObject) },
    example: {
      interval: 'month',
      data: [{ start: '2030-01-01T00:00:00.000Z', ...noCountsExample, ...presentConversationCounts(NO_CONVERSATIONS) }],
    },
    csvLines: '2030-01-01T00:00:00.000Z,0,0,0,0,0,0,0,0,0,0,0,0\r\n',
  },
  columns: ['start', ...MESSAGE_MEASURES, ...conversationCountColumns],
  read: async ({ db }, report, query) => {
    const { interval = 'day' } = query;
    const starts = await stepStarts(db, { ...report, step: interval });
    if (starts.length > MAX_STEPS) {
      const message = `interval ${interval} makes ${starts.length} steps of this time; at most ${MAX_STEPS} are answered.`;
      throw queryFault('interval', message);
    }
    const { messages: messagesOf, talks: talksOf } = figureScopes(query, report.scope);
    const [points, talks] = await Promise.all([
      messagesOf === null ? null : readSeries(db, { ...report, scope: messagesOf }, starts),
      talksOf === null ? null : readConversationSeries(db, { ...report, scope: talksOf }, starts),
    ]);
    const data = starts.map((ms) => ({
      start: formatRfc3339(ms),
      ...presentCounts(points === null ? null : (points.get(ms) ?? NO_COUNTS)),
      ...presentConversationCounts(talks === null ? null : (talks.get(ms) ?? NO_CONVERSATIONS)),
    }));
    return { fields: { interval, data }, rows: data };
  },
});

/** Counts of a report, as they leave; all null where the report is about what no message has. */
function presentCounts(counts: MessageCounts | null): JsonObject {
  return Object.fromEntries(MESSAGE_MEASURES.map((measure) => [measure, counts?.[measure] ?? null]));
}

/** In the order of the documentation. */
export const figureReportOperations: readonly Operation[] = [getAnalyticsSummaryRoute, getAnalyticsTimeseriesRoute];
