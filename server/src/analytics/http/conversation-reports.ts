import Type, { type Static } from 'typebox';
import {
  type AgentFigures,
  type ConversationInput,
  MAX_AGENTS,
  readAgentFigures,
  readResponseTimes,
} from '#analytics/actions/read-response-times';
import type { ConversationDimension } from '#conversations/domain/conversation-tally';
import type { Operation } from '#http/operation';
import { choiceOf, withExample } from '#http/schemas/fields';
import { TALK_DIMENSIONS, TALK_NAMES, talkFields, talkKey } from './figure-scopes.ts';
import { presentFigures, presentTimeFields } from './present/conversation-analytics.ts';
import { reportOperation } from './report.ts';
import { onlyOneOf, scopeFields } from './report-query.ts';
import { AgentRow, conversationColumns, ResponseTimesRow, timeColumns } from './schemas/conversation-analytics.ts';

const NAMES = ['phone_number_id', ...TALK_NAMES] as const;
const DIMENSIONS: Readonly<Record<(typeof NAMES)[number], ConversationDimension>> = {
  phone_number_id: 'number',
  ...TALK_DIMENSIONS,
};

const ResponseTimesQuery = Type.Object({
  phone_number_id: scopeFields.phone_number_id,
  ...talkFields,
  by: Type.Optional(withExample(choiceOf(NAMES, 'What to group rows by. Default: a single row.'), 'tag')),
});

const getAnalyticsResponseTimesRoute = reportOperation({
  path: '/v1/analytics/response-times',
  operationId: 'getAnalyticsResponseTimes',
  summary: 'Get response times',
  description:
    'Returns how long customers waited for the first reply and for each reply by a person, and how long conversations took to be resolved: the median and the 90th and 99th percentiles, in elapsed time and within business hours. Results are by number, agent, team, tag or handler, as they were when it happened. With `Accept: text/csv`, returns a table.',
  query: ResponseTimesQuery.properties,
  answer: {
    description: 'A row for each key, the most active first.',
    about: 'Conversations, and how long they took.',
    fields: { data: Type.Array(ResponseTimesRow) },
    example: { data: [] },
  },
  columns: ['key', 'name', ...conversationColumns],
  read: async ({ db }, { tenantId, period }, query) => {
    const rows = await readResponseTimes(db, { tenantId, period, ...readDimension(query) });
    const data = rows.map(({ key, name, figures }) => ({ key, name, ...presentFigures(figures) }));
    return { fields: { data }, rows: data };
  },
});

/** @throws ApiProblem validation_failed for more than one of the fields that say what a row is about */
function readDimension(query: Static<typeof ResponseTimesQuery>): Pick<ConversationInput, 'dimension' | 'key'> {
  const name = onlyOneOf(query, [...NAMES, 'by'] as const);
  if (name === undefined) return { dimension: 'all', key: '' };
  if (name === 'by') return { dimension: DIMENSIONS[query.by ?? 'tag'], key: null };
  return { dimension: DIMENSIONS[name], key: talkKey(name, query[name] ?? '') };
}

const getAnalyticsAgentsRoute = reportOperation({
  path: '/v1/analytics/agents',
  operationId: 'getAnalyticsAgents',
  summary: 'Get agent metrics',
  description: `Returns, for each agent, how many conversations were assigned, how many replies were given, how many messages the agent wrote, how many of the agent's conversations were resolved, how long customers waited, and the current workload: at most ${MAX_AGENTS} agents. With \`Accept: text/csv\`, returns a table.`,
  answer: {
    description: 'A row for each agent, the most active first, then inactive agents.',
    about: 'Agents.',
    fields: { data: Type.Array(AgentRow) },
    example: { data: [] },
  },
  columns: [
    'agent_id',
    'name',
    'assigned',
    'replies',
    'written',
    'resolved',
    ...timeColumns,
    'open_conversations',
    'max_open',
  ],
  read: async ({ db }, { tenantId, period }) => {
    const data = (await readAgentFigures(db, { tenantId, period })).map(presentAgentRow);
    return { fields: { data }, rows: data };
  },
});

function presentAgentRow({ agentId, agent, written, figures: { counts, histograms } }: AgentFigures) {
  return {
    agent_id: agentId,
    name: agent?.name ?? null,
    assigned: counts.assigned,
    replies: counts.replies,
    written,
    resolved: counts.resolved,
    ...presentTimeFields(histograms),
    open_conversations: agent?.openCount ?? null,
    max_open: agent?.maxOpen ?? null,
  };
}

/** In the order of the documentation. */
export const conversationReportOperations: readonly Operation[] = [
  getAnalyticsResponseTimesRoute,
  getAnalyticsAgentsRoute,
];
