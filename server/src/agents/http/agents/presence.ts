import { setAgentPresence } from '#agents/actions/agent-presence';
import { presentAgent } from '#agents/http/present/agent';
import { AgentIdParams, AgentView, agentExample, ShowPresence } from '#agents/http/schemas/agent';
import { defineOperation } from '#http/operation';
import { requirePermission } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';

export const setAgentPresenceRoute = defineOperation({
  method: 'POST',
  path: '/v1/agents/:id/presence',
  operationId: 'setAgentPresence',
  summary: "Update an agent's presence",
  description:
    'Sends a heartbeat that holds for 60 seconds; send one every 20 to 30 seconds. Without a further heartbeat, the agent goes offline automatically and is not assigned any more conversations. Agents can set their own presence, and that of others with the permission agents:manage.',
  tag: 'Agents',
  scope: 'agents:write',
  permission: 'conversations:read',
  params: AgentIdParams,
  body: ShowPresence,
  bodyIsOptional: true,
  bodyExamples: {
    alive: { summary: 'Still there, as before', value: {} },
    away: { summary: 'There, but away from the desk', value: { availability: 'away' } },
  },
  takesIdempotencyKey: 'within',
  answer: {
    status: 200,
    description: 'The updated agent.',
    schema: AgentView,
    example: agentExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: ['not_found'],
  handle: ({ rt }) => {
    return async (request, _reply, once) => {
      const { tenantId } = principalOf(request);
      const agentId = request.params.id.toLowerCase();
      if (agentId !== request.agent?.agentId) requirePermission(request, 'agents:manage');
      const presence = { tenantId, agentId, availability: request.body?.availability ?? null };
      return once.change(
        (db) => setAgentPresence(rt, db, presence),
        (agent) => presentAgent(agent, rt.clock.now()),
      );
    };
  },
});
