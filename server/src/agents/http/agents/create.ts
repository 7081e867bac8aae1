import { createAgent, NAMESAKE, type NewAgent } from '#agents/actions/manage-agents';
import { DEFAULT_MAX_OPEN } from '#agents/domain/agent';
import { presentAgent } from '#agents/http/present/agent';
import {
  AgentView,
  agentConflictExample,
  agentExample,
  CreateAgent,
  type CreateAgentBody,
} from '#agents/http/schemas/agent';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';

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
  takesIdempotencyKey: 'within',
  answer: {
    status: 201,
    description: 'The agent was created.',
    schema: AgentView,
    example: { ...agentExample, version: 1 },
    headers: ['Idempotent-Replayed'],
  },
  errors: ['conflict'],
  errorExamples: [agentConflictExample('namesake', NAMESAKE)],
  handle: ({ rt }) => {
    return async (request, _reply, once) => {
      const asked = { ...requesterOf(request), acting: request.agent, fields: readFields(request.body) };
      return once.change(
        (db) => createAgent(rt, db, asked),
        (agent) => presentAgent(agent, rt.clock.now()),
      );
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
