import { presentAgent } from '#agents/http/present/agent';
import { AgentIdParams, AgentView, agentExample } from '#agents/http/schemas/agent';
import { findAgent } from '#agents/store/agents';
import { requireFound } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';

export const getAgentRoute = defineOperation({
  method: 'GET',
  path: '/v1/agents/:id',
  operationId: 'getAgent',
  summary: 'Get an agent',
  description: 'Returns the identity, permissions, availability and workload of an agent.',
  tag: 'Agents',
  scope: 'agents:read',
  params: AgentIdParams,
  answer: { status: 200, description: 'The agent.', schema: AgentView, example: agentExample, headers: ['ETag'] },
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      return presentAgent(
        requireFound(await findAgent(db, principalOf(request).tenantId, request.params.id)),
        rt.clock.now(),
      );
    };
  },
});
