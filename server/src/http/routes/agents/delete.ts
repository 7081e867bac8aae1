import { LAST_OWNER, removeAgent } from '#operations/manage-agents';
import { defineOperation } from '../../operation.ts';
import { originOf, principalOf } from '../../plugins/auth.ts';
import { ifMatchHeader, matchingVersions } from '../../plugins/if-match.ts';
import { AgentIdParams, agentExampleId, conflictExample, staleExample } from '../../schemas/agent.ts';
import { Removed } from '../../schemas/removed.ts';

export const deleteAgentRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/agents/:id',
  operationId: 'deleteAgent',
  summary: 'Delete an agent',
  description:
    'Its conversations that are not resolved lose it, each with an entry in its history, and wait for another agent. Keys that act for it end. The last owner stays: 409.',
  tag: 'Agents',
  scope: 'agents:write',
  params: AgentIdParams,
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The agent is gone.',
    schema: Removed,
    example: { id: agentExampleId, status: 'removed' },
  },
  errors: ['not_found', 'conflict', 'precondition_failed'],
  errorExamples: [conflictExample('lastOwner', LAST_OWNER), staleExample('agent')],
  handle: (context) => {
    const { rt, db } = context;
    return async (request) => {
      const { tenantId } = principalOf(request);
      const { agent: acting } = request;
      const asked = { tenantId, acting, origin: originOf(request), versions: matchingVersions(request) };
      const { agentId: id } = await removeAgent(rt, db, { ...asked, agentId: request.params.id });
      return { id, status: 'removed' };
    };
  },
});
