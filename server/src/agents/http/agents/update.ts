import { type AgentInput, LAST_OWNER, NAMESAKE, updateAgent } from '#agents/actions/manage-agents';
import { presentAgent } from '#agents/http/present/agent';
import {
  AgentIdParams,
  AgentView,
  agentConflictExample,
  agentExample,
  ChangeAgent,
  type ChangeAgentBody,
  staleExample,
} from '#agents/http/schemas/agent';
import { givenOnly } from '#http/lists/filters';
import { defineOperation } from '#http/operation';
import { originOf, principalOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';

export const updateAgentRoute = defineOperation({
  method: 'PATCH',
  path: '/v1/agents/:id',
  operationId: 'updateAgent',
  summary: 'Update an agent',
  description:
    'Updates the agent. Omitted fields stay unchanged. An availability that is set here holds until it is set again, without heartbeats. Requests on behalf of an agent need the permission agents:manage, and owners:manage for owners.',
  tag: 'Agents',
  scope: 'agents:write',
  params: AgentIdParams,
  body: ChangeAgent,
  bodyExamples: {
    busy: { summary: 'Less to do', value: { capacity: { max_open: 2 } } },
    away: { summary: 'Away until further notice', value: { availability: 'away' } },
    role: { summary: 'Another role', value: { role: 'admin' } },
  },
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The updated agent.',
    schema: AgentView,
    example: agentExample,
    headers: ['ETag'],
  },
  errors: ['not_found', 'conflict', 'precondition_failed'],
  errorExamples: [
    agentConflictExample('namesake', NAMESAKE),
    agentConflictExample('lastOwner', LAST_OWNER),
    staleExample('agent'),
  ],
  handle: (context) => {
    const { rt, db } = context;
    return async (request) => {
      const { tenantId } = principalOf(request);
      const { agent: acting } = request;
      const asked = { tenantId, acting, origin: originOf(request), versions: matchingVersions(request) };
      const agent = await updateAgent(rt, db, { ...asked, agentId: request.params.id }, readRequest(request.body));
      return presentAgent(agent, rt.clock.now());
    };
  },
});

function readRequest(body: ChangeAgentBody): AgentInput {
  const { name, email, role, availability, skills, external_id: externalId } = body;
  return givenOnly({ name, email, role, availability, skills, externalId, maxOpen: body.capacity?.max_open });
}
