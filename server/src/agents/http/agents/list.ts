import Type from 'typebox';
import { presentAgent } from '#agents/http/present/agent';
import { AgentView, agentExample } from '#agents/http/schemas/agent';
import { teamExampleId } from '#agents/http/schemas/team';
import { listAgentsPage } from '#agents/store/agents';
import { agentRoles } from '#core/caller/permissions';
import { answerList } from '#http/lists/answer-list';
import { givenOnly } from '#http/lists/filters';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation } from '#http/operation';
import { queryErrorExamples } from '#http/schemas/examples';
import { choiceOf, named, text, uuid, withExample } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';

const MAX_EXTERNAL = 200;

const Query = Type.Object(
  {
    ...pageQuery,
    role: Type.Optional(withExample(choiceOf(agentRoles, named('AgentRole', 'Only agents in this role.')), 'agent')),
    team_id: Type.Optional(withExample(uuid('Only members of this team.'), teamExampleId)),
    external_id: Type.Optional(withExample(text(MAX_EXTERNAL, 'Only the agent whom you call so.'), 'crm-17')),
  },
  { additionalProperties: false },
);

export const listAgentsRoute = defineOperation({
  method: 'GET',
  path: '/v1/agents',
  operationId: 'listAgents',
  summary: 'List agents',
  description: 'Returns the agents who answer customers, newest first, with the availability and workload of each.',
  tag: 'Agents',
  scope: 'agents:read',
  query: Query,
  answer: pageAnswer('agents', AgentView, agentExample),
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ rt, db, cursorKey }) => {
    return (request, reply) => {
      const { role, team_id: teamId, external_id: externalId } = request.query;
      const filter = givenOnly({ role, teamId: teamId?.toLowerCase(), externalId });
      return answerList(request, reply, {
        cursorKey,
        name: 'agents',
        filter,
        read: (tenantId, window) => listAgentsPage(db, tenantId, filter, window),
        idOf: ({ agentId }) => agentId,
        present: (agent) => presentAgent(agent, rt.clock.now()),
      });
    };
  },
});
