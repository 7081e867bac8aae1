import Type from 'typebox';
import { answerReport, presentFreshness, presentFunnelRow, presentPeriod } from '#analytics/http/present/analytics';
import { FunnelRow, reportExample, reportFields } from '#analytics/http/schemas/analytics';
import { readBreakdown, readFreshness, readTotals } from '#analytics/store/analytics-reads';
import type { MessageDimension } from '#events/domain/message-sums';
import { defineOperation } from '#http/operation';
import { choiceOf, withExample } from '#http/schemas/fields';
import { periodFields, readReportQuery } from './report-query.ts';

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

const Query = Type.Object(
  {
    ...periodFields,
    by: Type.Optional(
      withExample(choiceOf(GROUPS, 'What a row stands for; default: one row for everything.'), 'template'),
    ),
  },
  { additionalProperties: false },
);

const FunnelObject = Type.Object(
  { ...reportFields, data: Type.Array(FunnelRow) },
  { description: 'From accepted to replied.' },
);

const COLUMNS = Object.keys(FunnelRow.properties);

export const getAnalyticsFunnelRoute = defineOperation({
  method: 'GET',
  path: '/v1/analytics/funnel',
  operationId: 'getAnalyticsFunnel',
  summary: 'Get the message funnel',
  description: `Returns how many of the messages accepted in a period were sent, delivered, read and answered, by template, campaign, number, type or price category (which is known for delivered messages): the ${MAX_KEYS} with the most messages. With \`Accept: text/csv\`, returns a table.`,
  tag: 'Analytics',
  scope: 'analytics:read',
  query: Query,
  answer: {
    status: 200,
    description: 'A row for each key, those with the most messages first.',
    schema: FunnelObject,
    example: { ...reportExample, data: [] },
    csvExample: `${COLUMNS.join()}\r\n`,
  },
  errors: [],
  handle: (context) => async (request, reply) => {
    const report = await readReportQuery(context, request);
    const { tenantId, period } = report;
    const { by } = request.query;
    // Before the sums: what is added between the two may be in them, and nothing that it promises is missing.
    const freshness = presentFreshness(await readFreshness(context.db, tenantId));
    const rows =
      by === undefined
        ? [{ key: '', counts: await readTotals(context.db, report) }]
        : await readBreakdown(context.db, { tenantId, period, dimension: DIMENSIONS[by], limit: MAX_KEYS });
    const data = rows.map(presentFunnelRow);
    return answerReport(request, reply, {
      body: { ...presentPeriod(period), timezone: report.timeZone, ...freshness, data },
      columns: COLUMNS,
      rows: data,
    });
  },
});
