import Type from 'typebox';
import { readConversationFigures } from '#analytics/actions/conversation-figures';
import { previousPeriod } from '#analytics/actions/report-period';
import { answerReport, presentCounts, presentFreshness, presentPeriod } from '#analytics/http/present/analytics';
import { flattened, presentFigures } from '#analytics/http/present/conversation-analytics';
import { CountsObject, noCountsExample, reportExample, reportFields } from '#analytics/http/schemas/analytics';
import { ConversationsObject, conversationColumns } from '#analytics/http/schemas/conversation-analytics';
import { readFreshness, readTotals } from '#analytics/store/analytics-reads';
import type { Period } from '#core/calendar';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { MESSAGE_MEASURES } from '#events/domain/message-sums';
import { defineOperation } from '#http/operation';
import { type FigureScopes, figureScopes, talkFields } from './figure-scopes.ts';
import { periodFields, readReportQuery, scopeFields } from './report-query.ts';

const NullableCounts = Type.Unsafe({
  ...CountsObject,
  type: ['object', 'null'],
  description:
    'Messages. Outbound messages count for the time at which they were accepted, whatever happened to them later. Null in a report on one agent, team, tag or handler.',
});

const SummaryObject = Type.Object(
  {
    ...reportFields,
    messages: NullableCounts,
    previous: NullableCounts,
    conversations: ConversationsObject,
    previous_conversations: ConversationsObject,
  },
  { description: 'Figures for a period, and for the period of the same length immediately before it.' },
);

const COLUMNS = ['period', ...MESSAGE_MEASURES, ...conversationColumns];

export const getAnalyticsSummaryRoute = defineOperation({
  method: 'GET',
  path: '/v1/analytics/summary',
  operationId: 'getAnalyticsSummary',
  summary: 'Get summary metrics',
  description:
    'Returns how many messages were accepted, sent, delivered, read, failed, answered and received in a period, how many conversations were opened, reopened and resolved, and how long customers waited, together with the same figures for the period immediately before it. With `Accept: text/csv`, returns a table.',
  tag: 'Analytics',
  scope: 'analytics:read',
  query: Type.Object({ ...periodFields, ...scopeFields, ...talkFields }, { additionalProperties: false }),
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
    const { tenantId, period } = report;
    const scopes = figureScopes(request.query, report.scope);
    // Before the sums: what is added between the two may be in them, and nothing that it promises is missing.
    const freshness = await readFreshness(context.db, tenantId);
    const [now, before] = await Promise.all([
      readFigures(context.db, { tenantId, period }, scopes),
      readFigures(context.db, { tenantId, period: previousPeriod(period) }, scopes),
    ]);
    const body = {
      ...presentPeriod(period),
      timezone: report.timeZone,
      ...presentFreshness(freshness),
      messages: now.messages,
      previous: before.messages,
      conversations: now.conversations,
      previous_conversations: before.conversations,
    };
    const rows = [
      { period: 'current', ...(body.messages ?? {}), ...flattened(body.conversations ?? {}) },
      { period: 'previous', ...(body.previous ?? {}), ...flattened(body.previous_conversations ?? {}) },
    ];
    return answerReport(request, reply, { body, columns: COLUMNS, rows });
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
