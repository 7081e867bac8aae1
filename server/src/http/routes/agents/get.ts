import { ApiProblem } from '#core/errors';
import { findAgent } from '#storage/agents';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { tagVersion } from '../../plugins/if-match.ts';
import { presentAgent } from '../../present/agent.ts';
import { AgentIdParams, AgentView, agentExample } from '../../schemas/agent.ts';

export const getAgent = defineOperation({
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
    return async (request, reply) => {
      const agent = await findAgent(db, principalOf(request).tenantId, request.params.id);
      if (agent === null) throw new ApiProblem('not_found');
      tagVersion(reply, agent.version);
      return presentAgent(agent, rt.clock.now());
    };
  },
});
