import Type from 'typebox';
import { setAgentPresence } from '#agents/actions/agent-presence';
import {
  type AgentInput,
  createAgent,
  LAST_OWNER,
  NAMESAKE,
  type NewAgent,
  removeAgent,
  updateAgent,
} from '#agents/actions/manage-agents';
import { type Agent, DEFAULT_MAX_OPEN } from '#agents/domain/agent';
import { describeAgent } from '#agents/domain/agent-events';
import { findAgent, listAgentsPage } from '#agents/store/agents';
import { agentRoles } from '#core/caller/permissions';
import { givenOnly } from '#http/lists/filters';
import { defineOperation, type Operation } from '#http/operation';
import { requirePermission } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';
import {
  createOperation,
  deleteOperation,
  getOperation,
  listOperation,
  type Resource,
  updateOperation,
} from '#http/resource';
import { conflictExample, staleExample } from '#http/schemas/errors';
import { choiceOf, named, text, uuid, withExample } from '#http/schemas/fields';
import {
  AgentIdParams,
  AgentView,
  agentExample,
  ChangeAgent,
  type ChangeAgentBody,
  CreateAgent,
  type CreateAgentBody,
  MAX_EXTERNAL,
  ShowPresence,
} from './schemas/agent.ts';
import { teamExampleId } from './schemas/team.ts';

const agent: Resource<Agent> = {
  path: '/v1/agents',
  name: 'Agent',
  noun: 'agent',
  one: 'an agent',
  tag: 'Agents',
  scopes: { read: 'agents:read', write: 'agents:write' },
  params: AgentIdParams,
  view: AgentView,
  example: agentExample,
  stale: staleExample('agent'),
  present: describeAgent,
};

const namesake = conflictExample('namesake', NAMESAKE);
const lastOwner = conflictExample('lastOwner', LAST_OWNER);

const listAgentsRoute = listOperation(agent, {
  description: 'Returns the agents who answer customers, newest first, with the availability and workload of each.',
  query: {
    role: Type.Optional(withExample(choiceOf(agentRoles, named('AgentRole', 'Only agents with this role.')), 'agent')),
    team_id: Type.Optional(withExample(uuid('Only members of this team.'), teamExampleId)),
    external_id: Type.Optional(withExample(text(MAX_EXTERNAL, 'Only the agent with this external ID.'), 'crm-17')),
  },
  filter: ({ role, team_id: teamId, external_id: externalId }) =>
    givenOnly({ role, teamId: teamId?.toLowerCase(), externalId }),
  read: ({ db }, { tenantId, window, filter }) => listAgentsPage(db, tenantId, filter, window),
  idOf: ({ agentId }) => agentId,
});

const createAgentRoute = createOperation(agent, {
  description:
    'Creates an agent: someone who answers customers. A key can be bound to the agent, or name the agent in X-Agent-Id. An agent who adds others needs the permission agents:manage.',
  body: CreateAgent,
  bodyExamples: {
    agent: { summary: 'An agent who speaks Portuguese', value: { name: 'Ana Lima', skills: ['portuguese'] } },
    owner: {
      summary: 'An owner who is not assigned conversations',
      value: { name: 'Bo Chen', email: 'bo@shop.example', role: 'owner', capacity: { max_open: 0 } },
    },
  },
  answer: { example: { ...agentExample, version: 1 } },
  failures: [namesake],
  create: ({ rt, db }, asked, { agent: acting, body }) =>
    createAgent(rt, db, { ...asked, acting, fields: readNewAgent(body) }),
});

const getAgentRoute = getOperation(agent, {
  description: 'Returns the identity, permissions, availability and workload of an agent.',
  find: ({ db }, tenantId, id) => findAgent(db, tenantId, id),
});

const updateAgentRoute = updateOperation(agent, {
  description:
    'Updates the agent. Omitted fields stay unchanged. An availability that is set here holds until it is set again, without heartbeats. Requests on behalf of an agent need the permission agents:manage, and owners:manage for owners.',
  body: ChangeAgent,
  bodyExamples: {
    busy: { summary: 'Reduce the capacity', value: { capacity: { max_open: 2 } } },
    away: { summary: 'Set to away until further notice', value: { availability: 'away' } },
    role: { summary: 'Change the role', value: { role: 'admin' } },
  },
  failures: [namesake, lastOwner],
  update: ({ rt, db }, asked, { agent: acting, body }) =>
    updateAgent(rt, db, { ...asked, acting, agentId: asked.id }, readAgentInput(body)),
});

const deleteAgentRoute = deleteOperation(agent, {
  description:
    'Deletes the agent. Conversations of the agent that are not resolved become unassigned, each with an entry in its history, and wait for another agent. Keys that are bound to the agent are revoked. The last owner cannot be deleted (409).',
  failures: [lastOwner],
  remove: ({ rt, db, unassign }, asked, { agent: acting }) =>
    removeAgent(rt, db, unassign, { ...asked, acting, agentId: asked.id }),
});

const setAgentPresenceRoute = defineOperation({
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
    alive: { summary: 'Keep the current availability', value: {} },
    away: { summary: 'Set to away', value: { availability: 'away' } },
  },
  takesIdempotencyKey: 'within',
  answer: { status: 200, description: 'The updated agent.', schema: AgentView, example: agentExample },
  errors: ['not_found'],
  handle: ({ rt }) => {
    return async (request, _reply, once) => {
      const { tenantId } = principalOf(request);
      const agentId = request.params.id.toLowerCase();
      if (agentId !== request.agent?.agentId) requirePermission(request, 'agents:manage');
      const presence = { tenantId, agentId, availability: request.body?.availability ?? null };
      return once.change(
        (db) => setAgentPresence(rt, db, presence),
        (agent) => describeAgent(agent, rt.clock.now()),
      );
    };
  },
});

/** In the order of the documentation. */
export const agentOperations: readonly Operation[] = [
  listAgentsRoute,
  createAgentRoute,
  getAgentRoute,
  updateAgentRoute,
  deleteAgentRoute,
  setAgentPresenceRoute,
];

function readNewAgent(body: CreateAgentBody): NewAgent {
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

function readAgentInput(body: ChangeAgentBody): AgentInput {
  const { name, email, role, availability, skills, external_id: externalId } = body;
  return givenOnly({ name, email, role, availability, skills, externalId, maxOpen: body.capacity?.max_open });
}
