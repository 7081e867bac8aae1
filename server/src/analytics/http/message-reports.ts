import Type from 'typebox';
import { clockStretches } from '#analytics/actions/report-period';
import { readBreakdown, readHeatmap, readTotals } from '#analytics/store/analytics-reads';
import type { BreakdownRow } from '#analytics/store/analytics-sums';
import type { JsonObject } from '#core/json';
import type { MessageDimension, MessageMeasure } from '#events/domain/message-sums';
import type { Operation } from '#http/operation';
import { choiceOf, withExample } from '#http/schemas/fields';
import { reportOperation } from './report.ts';
import { scopeFields } from './report-query.ts';
import { ErrorRow, FunnelRow, HeatmapRow } from './schemas/analytics.ts';

/** Keys of one answer: those with most messages. */
const MAX_KEYS = 200;

const GROUPS = ['template', 'campaign_name', 'phone_number_id', 'type', 'category'] as const;
const DIMENSIONS: Readonly<Record<(typeof GROUPS)[number], MessageDimension>> = {
  template: 'template',
  campaign_name: 'campaign',
  phone_number_id: 'number',
  type: 'type',
  category: 'category',
};

const getAnalyticsFunnelRoute = reportOperation({
  path: '/v1/analytics/funnel',
  operationId: 'getAnalyticsFunnel',
  summary: 'Get the message funnel',
  description: `Returns how many of the messages accepted in a period were sent, delivered, read and answered, by template, campaign, number, type or price category (which is known for delivered messages): the ${MAX_KEYS} with the most messages. With \`Accept: text/csv\`, returns a table.`,
  query: {
    by: Type.Optional(withExample(choiceOf(GROUPS, 'What to group rows by. Default: a single row.'), 'template')),
  },
  answer: {
    description: 'A row for each key, those with the most messages first.',
    about: 'The funnel from accepted to replied.',
    fields: { data: Type.Array(FunnelRow) },
    example: { data: [] },
  },
  columns: Object.keys(FunnelRow.properties),
  read: async ({ db }, report, { by }) => {
    const { tenantId, period } = report;
    const rows =
      by === undefined
        ? [{ key: '', counts: await readTotals(db, report) }]
        : await readBreakdown(db, { tenantId, period, dimension: DIMENSIONS[by], limit: MAX_KEYS });
    const data = rows.map(presentFunnelRow);
    return { fields: { data }, rows: data };
  },
});

/** Shares of a stage in the one that it follows from, from 0 to 1 with four decimals; null where there is none to share. */
function presentFunnelRow({ key, counts }: BreakdownRow<MessageMeasure>): JsonObject {
  const { accepted, sent, delivered, read, failed, replied } = counts;
  return {
    key,
    ...{ accepted, sent, delivered, read, replied, failed },
    delivered_rate: share(delivered, sent),
    read_rate: share(read, delivered),
    replied_rate: share(replied, delivered),
  };
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}

/** More than there are codes. */
const MAX_CODES = 1_000;

const getAnalyticsErrorsRoute = reportOperation({
  path: '/v1/analytics/errors',
  operationId: 'getAnalyticsErrors',
  summary: 'Get failures by reason',
  description:
    'Returns how many of the messages accepted in a period failed, by error code. With `Accept: text/csv`, returns a table.',
  answer: {
    description: 'A row for each code, the most frequent first.',
    about: 'Failures by code.',
    fields: { data: Type.Array(ErrorRow) },
    example: { data: [] },
  },
  columns: Object.keys(ErrorRow.properties),
  read: async ({ db }, { tenantId, period }) => {
    const rows = await readBreakdown(db, { tenantId, period, dimension: 'error', limit: MAX_CODES });
    const total = rows.reduce((sum, { counts }) => sum + counts.failed, 0);
    const data = rows.map(({ key, counts: { failed } }) => ({ code: key, failed, share: share(failed, total) }));
    return { fields: { data }, rows: data };
  },
});

const getAnalyticsHeatmapRoute = reportOperation({
  path: '/v1/analytics/heatmap',
  operationId: 'getAnalyticsHeatmap',
  summary: 'Get the heatmap of messages by hour',
  description:
    'Returns messages by weekday and hour in the time zone: when customers write, and when messages are sent to them. With `Accept: text/csv`, returns a table.',
  query: scopeFields,
  answer: {
    description: 'A row for each hour of the week in which there were messages, starting on Monday.',
    about: 'Hours of the week.',
    fields: { data: Type.Array(HeatmapRow) },
    example: { data: [] },
  },
  columns: Object.keys(HeatmapRow.properties),
  read: async ({ db }, report) => {
    const cells = await readHeatmap(db, report, clockStretches(report.timeZone, report.period));
    const data = cells.map(({ weekday, hour, accepted, received }) => ({ weekday, hour, accepted, received }));
    return { fields: { data }, rows: data };
  },
});

/** In the order of the documentation. */
export const messageReportOperations: readonly Operation[] = [
  getAnalyticsFunnelRoute,
  getAnalyticsErrorsRoute,
  getAnalyticsHeatmapRoute,
];
