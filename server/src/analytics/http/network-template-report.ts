import Type from 'typebox';
import { MAX_COUNTED_TEMPLATES, MAX_TEMPLATE_DAYS, readTemplateFigures } from '#analytics/actions/template-figures';
import type { JsonObject } from '#core/json';
import type { Operation } from '#http/operation';
import { choiceOf, withExample } from '#http/schemas/fields';
import { figureFailures } from './network-reports.ts';
import { allClicks, presentTemplateRow } from './present/network-analytics.ts';
import { reportOperation } from './report.ts';
import { networkTimes, scopeFields } from './report-query.ts';
import {
  accountParameter,
  NetworkTemplateRow,
  networkReportExample,
  networkReportFields,
} from './schemas/network-analytics.ts';

const getNetworkTemplateAnalyticsRoute = reportOperation({
  path: '/v1/analytics/network/templates',
  operationId: 'getNetworkTemplateAnalytics',
  summary: "Get the network's template metrics",
  description: `Returns how many messages with each template the network counts as sent, delivered, read and clicked, and their cost, by day: of one name, or of the ${MAX_COUNTED_TEMPLATES} templates with the most messages. The figures are those of the network for the whole account, read from it with each request. Template insights have to be enabled for the account at the network. With \`Accept: text/csv\`, returns a table.`,
  times: networkTimes(MAX_TEMPLATE_DAYS),
  query: {
    ...accountParameter,
    template: scopeFields.template,
    interval: Type.Optional(withExample(choiceOf(['day'], 'Length of a step, in UTC. Always day.'), 'day')),
  },
  answer: {
    description: 'A row for each template and day that the network has figures of.',
    about: 'What became of messages with templates.',
    fields: { ...networkReportFields, data: Type.Array(NetworkTemplateRow) },
    example: { ...networkReportExample, data: [] },
  },
  columns: [
    ...Object.keys(NetworkTemplateRow.properties).filter((name) => name !== 'ours'),
    ...['ours_sent', 'ours_delivered', 'ours_read', 'ours_replied'],
  ],
  errorExamples: figureFailures,
  read: async ({ figures }, { tenantId, period }, { network_account_id: account, template }) => {
    const wish = { tenantId, period, networkAccountId: account ?? null, template: template ?? null };
    const { networkAccountId, points } = await readTemplateFigures(figures, wish);
    const data = points.map(presentTemplateRow);
    const rows = data.map((row, place): JsonObject => ({ ...row, clicks: allClicks(points[place]?.clicks ?? []) }));
    return { fields: { network_account_id: networkAccountId, interval: 'day', data }, rows };
  },
});

/** In the order of the documentation. */
export const networkTemplateReportOperations: readonly Operation[] = [getNetworkTemplateAnalyticsRoute];
