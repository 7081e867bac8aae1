import Type from 'typebox';
import { MESSAGE_MEASURES } from '#core/analytics';
import { readConversationFigures } from '#operations/conversation-figures';
import { previousPeriod } from '#operations/report-period';
import { readFreshness, readTotals } from '#storage/analytics-reads';
import { defineOperation } from '../../operation.ts';
import { answerReport, presentCounts, presentFreshness, presentPeriod } from '../../present/analytics.ts';
import { flattened, presentFigures } from '../../present/conversation-analytics.ts';
import { CountsObject, noCountsExample, reportExample, reportFields } from '../../schemas/analytics.ts';
import { ConversationsObject, conversationColumns } from '../../schemas/conversation-analytics.ts';
import { periodFields, readReportQuery, scopeFields } from './report-query.ts';

const SummaryObject = Type.Object(
  {
    ...reportFields,
    messages: CountsObject,
    previous: CountsObject,
    conversations: ConversationsObject,
    previous_conversations: ConversationsObject,
  },
  { description: 'Figures of a time, and of the time of the same length right before.' },
);

const COLUMNS = ['period', ...MESSAGE_MEASURES, ...conversationColumns];

export const getAnalyticsSummary = defineOperation({
  method: 'GET',
  path: '/v1/analytics/summary',
  operationId: 'getAnalyticsSummary',
  summary: 'Read the figures of a time',
  description:
    'How many messages were accepted, sent, delivered, read, failed, answered and received in a time, how many conversations were opened, opened again and resolved and how long customers waited, and the same of the time right before. With `Accept: text/csv` as a table.',
  tag: 'Analytics',
  scope: 'analytics:read',
  query: Type.Object({ ...periodFields, ...scopeFields }, { additionalProperties: false }),
  answer: {
    status: 200,
    description: 'The figures.',
    schema: SummaryObject,
    example: {
      ...reportExample,
      messages: noCountsExample,
      previous: noCountsExample,
      conversations: null,
      previous_conversations: null,
    },
    csvExample: `${COLUMNS.join()}\r\ncurrent,0,0,0,0,0,0,0${','.repeat(conversationColumns.length)}\r\n`,
  },
  errors: [],
  handle: (context) => async (request, reply) => {
    const report = await readReportQuery(context, request);
    const previous = { ...report, period: previousPeriod(report.period) };
    // Before the sums: what is added between the two may be in them, and nothing that it promises is missing.
    const freshness = await readFreshness(context.db, report.tenantId);
    const [now, before, talks, talksBefore] = await Promise.all([
      readTotals(context.db, report),
      readTotals(context.db, previous),
      readConversationFigures(context.db, report),
      readConversationFigures(context.db, previous),
    ]);
    const body = {
      ...presentPeriod(report.period),
      timezone: report.timeZone,
      ...presentFreshness(freshness),
      messages: presentCounts(now),
      previous: presentCounts(before),
      conversations: talks === null ? null : presentFigures(talks),
      previous_conversations: talksBefore === null ? null : presentFigures(talksBefore),
    };
    const rows = [
      { period: 'current', ...body.messages, ...flattened(body.conversations ?? {}) },
      { period: 'previous', ...body.previous, ...flattened(body.previous_conversations ?? {}) },
    ];
    return answerReport(request, reply, { body, columns: COLUMNS, rows });
  },
});
