import { LAST_OWNER, removeAgent } from '#agents/actions/manage-agents';
import { AgentIdParams, agentConflictExample, agentExampleId, staleExample } from '#agents/http/schemas/agent';
import { defineOperation } from '#http/operation';
import { originOf, principalOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';
import { deletedAnswer } from '#http/schemas/deleted';

export const deleteAgentRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/agents/:id',
  operationId: 'deleteAgent',
  summary: 'Delete an agent',
  description:
    'Deletes the agent. Conversations of the agent that are not resolved become unassigned, each with an entry in its history, and wait for another agent. Keys that are bound to the agent are revoked. The last owner cannot be deleted (409).',
  tag: 'Agents',
  scope: 'agents:write',
  params: AgentIdParams,
  requestHeaders: [ifMatchHeader],
  answer: deletedAnswer('The agent was deleted.', agentExampleId),
  errors: ['not_found', 'conflict', 'precondition_failed'],
  errorExamples: [agentConflictExample('lastOwner', LAST_OWNER), staleExample('agent')],
  handle: (context) => {
    const { rt, db, unassign } = context;
    return async (request) => {
      const { tenantId } = principalOf(request);
      const { agent: acting } = request;
      const asked = { tenantId, acting, origin: originOf(request), versions: matchingVersions(request) };
      const { agentId: id } = await removeAgent(rt, db, unassign, { ...asked, agentId: request.params.id });
      return { id, status: 'deleted' };
    };
  },
});
