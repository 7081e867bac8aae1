import Type, { type Static } from 'typebox';
import { type ConversationInput, readResponseTimes } from '#analytics/actions/read-response-times';
import { answerReport, presentFreshness, presentPeriod } from '#analytics/http/present/analytics';
import { flattened, presentFigures } from '#analytics/http/present/conversation-analytics';
import { reportExample, reportFields } from '#analytics/http/schemas/analytics';
import { conversationColumns, ResponseTimesRow } from '#analytics/http/schemas/conversation-analytics';
import { readFreshness } from '#analytics/store/analytics-reads';
import type { ConversationDimension } from '#conversations/domain/conversation-tally';
import { defineOperation } from '#http/operation';
import { choiceOf, phoneNumberId, withExample } from '#http/schemas/fields';
import { problemOf } from '#http/validation/faults';
import { TALK_DIMENSIONS, TALK_NAMES, talkFields, talkKey } from './figure-scopes.ts';
import { periodFields, readReportQuery } from './report-query.ts';

const scopes = {
  phone_number_id: Type.Optional(withExample(phoneNumberId(), '106540352242922')),
  ...talkFields,
};
const DIMENSIONS: Readonly<Record<keyof typeof scopes, ConversationDimension>> = {
  phone_number_id: 'number',
  ...TALK_DIMENSIONS,
};
const NAMES = ['phone_number_id', ...TALK_NAMES] as const;

const Query = Type.Object(
  {
    ...periodFields,
    ...scopes,
    by: Type.Optional(withExample(choiceOf(NAMES, 'What a row stands for; default: one row for everything.'), 'tag')),
  },
  { additionalProperties: false },
);

const COLUMNS = ['key', 'name', ...conversationColumns];

export const getAnalyticsResponseTimesRoute = defineOperation({
  method: 'GET',
  path: '/v1/analytics/response-times',
  operationId: 'getAnalyticsResponseTimes',
  summary: 'Get response times',
  description:
    'Returns how long customers waited for the first reply and for each reply by a person, and how long conversations took to be resolved: the median and the 90th and 99th percentiles, in elapsed time and within business hours. Results are by number, agent, team, tag or handler, as they were when it happened. With `Accept: text/csv`, returns a table.',
  tag: 'Analytics',
  scope: 'analytics:read',
  query: Query,
  answer: {
    status: 200,
    description: 'A row for each key, those with most of everything first.',
    schema: Type.Object(
      { ...reportFields, data: Type.Array(ResponseTimesRow) },
      { description: 'Conversations, and how long they took.' },
    ),
    example: { ...reportExample, data: [] },
    csvExample: `${COLUMNS.join()}\r\n`,
  },
  errors: [],
  handle: (context) => async (request, reply) => {
    const { tenantId, period, timeZone } = await readReportQuery(context, request);
    // Before the sums: what is added between the two may be in them, and nothing that it promises is missing.
    const freshness = presentFreshness(await readFreshness(context.db, tenantId));
    const rows = await readResponseTimes(context.db, { tenantId, period, ...wishOf(request.query) });
    const data = rows.map(({ key, name, figures }) => ({ key, name, ...presentFigures(figures) }));
    return answerReport(request, reply, {
      body: { ...presentPeriod(period), timezone: timeZone, ...freshness, data },
      columns: COLUMNS,
      rows: data.map(flattened),
    });
  },
});

/** @throws ApiProblem validation_failed for more than one of the fields that say what a row is about */
function wishOf(query: Static<typeof Query>): Pick<ConversationInput, 'dimension' | 'key'> {
  const given = ([...NAMES, 'by'] as const).filter((name) => query[name] !== undefined);
  const [first, second] = given;
  if (second !== undefined) {
    const message = `${second} cannot be combined with ${first}: give one of them.`;
    throw problemOf([{ path: `query.${second}`, message }]);
  }
  if (first === undefined) return { dimension: 'all', key: '' };
  if (first === 'by') return { dimension: DIMENSIONS[query.by ?? 'tag'], key: null };
  return { dimension: DIMENSIONS[first], key: talkKey(first, query[first] ?? '') };
}
