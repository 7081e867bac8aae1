import type { TProperties } from 'typebox';
import Type from 'typebox';
import {
  type FiguresRequest,
  readConversationCosts,
  readMessageFigures,
  readPriceFigures,
  UNKNOWN_NUMBER,
} from '#analytics/actions/network-figures';
import { networkConversationKeys, priceKeys } from '#analytics/domain/network-figures';
import type { JsonObject } from '#core/json';
import type { ErrorExample, Operation } from '#http/operation';
import { conflictExample, errorExample } from '#http/schemas/errors';
import { choiceOf, withExample } from '#http/schemas/fields';
import { unknownAccountExample } from '#templates/http/schemas/template';
import { presentStep } from './present/network-analytics.ts';
import { type ReportAnswer, reportOperation } from './report.ts';
import { networkTimes, type Report } from './report-query.ts';
import {
  NetworkConversationRow,
  NetworkMessagesRow,
  NetworkPricingRow,
  networkReportExample,
  networkReportFields,
  numberParameters,
} from './schemas/network-analytics.ts';

/** How each report of the network's figures can fail. */
export const figureFailures: readonly ErrorExample[] = [
  unknownAccountExample,
  conflictExample('noToken', 'The linked account of the number was deleted. Link it again.'),
  errorExample(
    'refusedByNetwork',
    'refused_by_network',
    'The network rejected this. Its response: A parameter is unknown or not valid. (Code 100 of the network)',
  ),
  errorExample('networkUnreachable', 'network_unreachable', 'The network could not be reached (UND_ERR_SOCKET).'),
];

const numberFigureFailures: readonly ErrorExample[] = [
  ...figureFailures,
  errorExample('unknownPhoneNumber', 'unknown_phone_number', UNKNOWN_NUMBER, 'query.phone_number_id'),
];

const FROM_THE_NETWORK =
  'The figures are those of the network, read from it with each request, for the numbers of the tenant in the account.';

/** The rows of a report, beside what each of them says of itself. */
function rowsAnswer(about: string, row: TProperties[string], description: string): ReportAnswer {
  const fields = { ...networkReportFields, data: Type.Array(row) };
  return { description, about, fields, example: { ...networkReportExample, data: [] } };
}

function figuresRequest(
  { tenantId, period }: Report,
  query: {
    readonly network_account_id?: string;
    readonly phone_number_id?: string;
    readonly interval?: FiguresRequest['interval'];
  },
): FiguresRequest {
  const { network_account_id: networkAccountId, phone_number_id: phoneNumberId, interval = 'day' } = query;
  return {
    ...{ tenantId, period, interval },
    networkAccountId: networkAccountId ?? null,
    phoneNumberId: phoneNumberId ?? null,
  };
}

const getNetworkMessageAnalyticsRoute = reportOperation({
  path: '/v1/analytics/network/messages',
  operationId: 'getNetworkMessageAnalytics',
  summary: "Get the network's message metrics",
  description: `Returns how many messages the network counts as sent and delivered by day or month, beside what this service counted. ${FROM_THE_NETWORK} With \`Accept: text/csv\`, returns a table.`,
  times: networkTimes(),
  query: numberParameters,
  answer: rowsAnswer(
    'Messages as the network counts them.',
    NetworkMessagesRow,
    'A row for each step that the network has figures of.',
  ),
  columns: ['start', 'end', 'sent', 'delivered', 'ours_sent', 'ours_delivered'],
  errorExamples: numberFigureFailures,
  read: async ({ figures }, report, query) => {
    const request = figuresRequest(report, query);
    const { networkAccountId, points } = await readMessageFigures(figures, request);
    const data = points.map(({ sent, delivered, ours, ...step }): JsonObject => {
      return { ...presentStep(step), sent, delivered, ours: { sent: ours.sent, delivered: ours.delivered } };
    });
    return { fields: { network_account_id: networkAccountId, interval: request.interval, data }, rows: data };
  },
});

const getNetworkPricingAnalyticsRoute = reportOperation({
  path: '/v1/analytics/network/pricing',
  operationId: 'getNetworkPricingAnalytics',
  summary: "Get the network's message prices",
  description: `Returns how many messages the network charged, or delivered for free, and their cost, by day or month and by category, type, country, number or tier. ${FROM_THE_NETWORK} With \`Accept: text/csv\`, returns a table.`,
  times: networkTimes(),
  query: {
    ...numberParameters,
    by: Type.Optional(withExample(choiceOf(priceKeys, 'What to group rows by. Default: category.'), 'country')),
  },
  answer: rowsAnswer('What messages cost.', NetworkPricingRow, 'A row for each step and key.'),
  columns: ['start', 'end', 'key', 'volume', 'cost', 'ours_delivered'],
  errorExamples: numberFigureFailures,
  read: async ({ figures }, report, query) => {
    const request = figuresRequest(report, query);
    const { networkAccountId, points } = await readPriceFigures(figures, request, query.by ?? 'category');
    const data = points.map(({ key, volume, cost, ours, ...step }): JsonObject => {
      return { ...presentStep(step), key, volume, cost, ours: ours && { delivered: ours.delivered } };
    });
    return { fields: { network_account_id: networkAccountId, interval: request.interval, data }, rows: data };
  },
});

const getNetworkConversationAnalyticsRoute = reportOperation({
  path: '/v1/analytics/network/conversations',
  operationId: 'getNetworkConversationAnalytics',
  summary: "Get the network's conversation prices",
  description: `Returns how many conversations of 24 hours the network counts and their cost, by day or month and by category, direction, type, country or number. They are not the conversations of the inbox. ${FROM_THE_NETWORK} With \`Accept: text/csv\`, returns a table.`,
  times: networkTimes(),
  query: {
    ...numberParameters,
    by: Type.Optional(
      withExample(choiceOf(networkConversationKeys, 'What to group rows by. Default: category.'), 'direction'),
    ),
  },
  answer: rowsAnswer('What conversations cost.', NetworkConversationRow, 'A row for each step and key.'),
  columns: ['start', 'end', 'key', 'conversations', 'cost'],
  errorExamples: numberFigureFailures,
  read: async ({ figures }, report, query) => {
    const request = figuresRequest(report, query);
    const { networkAccountId, points } = await readConversationCosts(figures, request, query.by ?? 'category');
    const data = points.map(({ key, conversations, cost, ...step }): JsonObject => {
      return { ...presentStep(step), key, conversations, cost };
    });
    return { fields: { network_account_id: networkAccountId, interval: request.interval, data }, rows: data };
  },
});

/** In the order of the documentation. */
export const networkReportOperations: readonly Operation[] = [
  getNetworkMessageAnalyticsRoute,
  getNetworkPricingAnalyticsRoute,
  getNetworkConversationAnalyticsRoute,
];
