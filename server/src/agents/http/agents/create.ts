import { answerOnce, idempotencyClaim } from '#access/http/idempotency';
import { createAgent, NAMESAKE, type NewAgent } from '#agents/actions/manage-agents';
import { DEFAULT_MAX_OPEN } from '#agents/domain/agent';
import { presentAgent } from '#agents/http/present/agent';
import {
  AgentView,
  agentExample,
  CreateAgent,
  type CreateAgentBody,
  conflictExample,
} from '#agents/http/schemas/agent';
import { defineOperation } from '#http/operation';
import { originOf, principalOf } from '#http/plugins/auth';

const CREATED = 201;

export const createAgentRoute = defineOperation({
  method: 'POST',
  path: '/v1/agents',
  operationId: 'createAgent',
  summary: 'Create an agent',
  description:
    'Creates an agent: someone who answers customers. A key can be bound to the agent, or name the agent in X-Agent-Id. An agent who adds others needs the permission agents:manage.',
  tag: 'Agents',
  scope: 'agents:write',
  body: CreateAgent,
  bodyExamples: {
    agent: { summary: 'Someone for Portuguese', value: { name: 'Ana Lima', skills: ['portuguese'] } },
    owner: {
      summary: 'An owner who takes no conversations',
      value: { name: 'Bo Chen', email: 'bo@shop.example', role: 'owner', capacity: { max_open: 0 } },
    },
  },
  takesIdempotencyKey: true,
  answer: {
    status: CREATED,
    description: 'The agent was created.',
    schema: AgentView,
    example: { ...agentExample, version: 1 },
    headers: ['Idempotent-Replayed'],
  },
  errors: ['conflict'],
  errorExamples: [conflictExample('namesake', NAMESAKE)],
  handle: (context) => {
    const { rt, db } = context;
    return async (request, reply) => {
      const { tenantId } = principalOf(request);
      const { agent: acting } = request;
      const once = await createAgent(rt, db, {
        tenantId,
        acting,
        origin: originOf(request),
        fields: readFields(request.body),
        claim: idempotencyClaim(request),
        keep: (agent) => ({ statusCode: CREATED, body: presentAgent(agent, rt.clock.now()) }),
      });
      return answerOnce(rt.metrics, reply, once, {
        statusCode: CREATED,
        present: (agent) => presentAgent(agent, rt.clock.now()),
      });
    };
  },
});

function readFields(body: CreateAgentBody): NewAgent {
  return {
    name: body.name,
    email: body.email ?? null,
    role: body.role ?? 'agent',
    availability: body.availability ?? 'offline',
    presenceUntilMs: null,
    maxOpen: body.capacity?.max_open ?? DEFAULT_MAX_OPEN,
    skills: body.skills ?? [],
    externalId: body.external_id ?? null,
  };
}
