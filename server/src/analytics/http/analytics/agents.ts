import Type from 'typebox';
import { type AgentFigures, MAX_AGENTS, readAgentFigures } from '#analytics/actions/read-response-times';
import { answerReport, presentFreshness, presentPeriod } from '#analytics/http/present/analytics';
import { flattened, presentTimes } from '#analytics/http/present/conversation-analytics';
import { reportExample, reportFields } from '#analytics/http/schemas/analytics';
import { AgentRow, timeColumns } from '#analytics/http/schemas/conversation-analytics';
import { readFreshness } from '#analytics/store/analytics-reads';
import { defineOperation } from '#http/operation';
import { periodFields, readReportQuery } from './report-query.ts';

const COLUMNS = [
  'agent_id',
  'name',
  'assigned',
  'replies',
  'resolved',
  ...timeColumns,
  'open_conversations',
  'max_open',
];

export const getAnalyticsAgentsRoute = defineOperation({
  method: 'GET',
  path: '/v1/analytics/agents',
  operationId: 'getAnalyticsAgents',
  summary: 'Get agent metrics',
  description: `Returns, for each agent, how many conversations were assigned, how many replies the agent wrote, how many of the agent's conversations were resolved, how long customers waited, and the current workload: at most ${MAX_AGENTS} agents. With \`Accept: text/csv\`, returns a table.`,
  tag: 'Analytics',
  scope: 'analytics:read',
  query: Type.Object(periodFields, { additionalProperties: false }),
  answer: {
    status: 200,
    description: 'A row for each agent, the most active first, then those who did nothing.',
    schema: Type.Object({ ...reportFields, data: Type.Array(AgentRow) }, { description: 'Agents.' }),
    example: { ...reportExample, data: [] },
    csvExample: `${COLUMNS.join()}\r\n`,
  },
  errors: [],
  handle: (context) => async (request, reply) => {
    const { tenantId, period, timeZone } = await readReportQuery(context, request);
    // Before the sums: what is added between the two may be in them, and nothing that it promises is missing.
    const freshness = presentFreshness(await readFreshness(context.db, tenantId));
    const data = (await readAgentFigures(context.db, { tenantId, period })).map(presentAgentRow);
    return answerReport(request, reply, {
      body: { ...presentPeriod(period), timezone: timeZone, ...freshness, data },
      columns: COLUMNS,
      rows: data.map(flattened),
    });
  },
});

function presentAgentRow({ agentId, agent, figures: { counts, histograms } }: AgentFigures) {
  return {
    agent_id: agentId,
    name: agent?.name ?? null,
    assigned: counts.assigned,
    replies: counts.replies,
    resolved: counts.resolved,
    first_response: presentTimes(histograms, 'first_response'),
    reply: presentTimes(histograms, 'reply'),
    resolution: presentTimes(histograms, 'resolution'),
    open_conversations: agent?.openCount ?? null,
    max_open: agent?.maxOpen ?? null,
  };
}
