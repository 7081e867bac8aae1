import { AgentIdParams } from '#agents/http/schemas/agent';
import { findAgent } from '#agents/store/agents';
import { requireFound } from '#core/errors';
import type { JsonObject } from '#core/json';
import { answerList } from '#http/lists/answer-list';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf, requesterOf } from '#http/plugins/auth';
import { queryOf } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';
import { formatRfc3339 } from '#http/validation/rfc3339';
import { presentSession } from '#users/actions/describe-me';
import { endSessionsOfAgent } from '#users/actions/end-agent-sessions';
import { listAgentSessions } from '#users/store/agent-sessions';
import { type Colleague, listColleaguesPage } from '#users/store/people';
import {
  AgentSessionList,
  agentSessionsExample,
  EndAgentSessions,
  EndedSessions,
  PersonView,
  personExample,
} from './schemas/people.ts';

const listPeopleRoute = defineOperation({
  method: 'GET',
  path: '/v1/people',
  operationId: 'listPeople',
  summary: 'List people',
  description:
    'Returns the people who can sign in to the tenant, newest first: what each signs in with, how many sessions are open, and the invitation that was not used yet. Agents that are not listed have no person: programs act for them, or nobody has invited them.',
  tag: 'Agents',
  scope: 'agents:read',
  permission: 'agents:manage',
  query: queryOf(pageQuery),
  answer: pageAnswer('people', PersonView, personExample),
  handle: ({ rt, db, cursorKey }) => {
    return (request, reply) =>
      answerList(request, reply, {
        cursorKey,
        name: 'people',
        read: (tenantId, window) => listColleaguesPage(db, tenantId, window, rt.clock.now()),
        idOf: ({ agentId }) => agentId,
        present: presentColleague,
      });
  },
});

const listAgentSessionsRoute = defineOperation({
  method: 'GET',
  path: '/v1/agents/:id/sessions',
  operationId: 'listAgentSessions',
  summary: "List an agent's sessions",
  description:
    'Returns where the person of the agent is signed in to this tenant, newest first, at most 100. Empty for an agent without a person.',
  tag: 'Agents',
  scope: 'agents:read',
  permission: 'agents:manage',
  params: AgentIdParams,
  answer: { status: 200, description: 'The open sessions.', schema: AgentSessionList, example: agentSessionsExample },
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { tenantId, session: own } = principalOf(request);
      const agent = requireFound(await findAgent(db, tenantId, request.params.id.toLowerCase()));
      const sessions = await listAgentSessions(db, agent, rt.clock.now());
      return { data: sessions.map((session) => presentSession(session, own?.sessionId ?? null)) };
    };
  },
});

const endAgentSessionsRoute = defineOperation({
  method: 'POST',
  path: '/v1/agents/:id/end-sessions',
  operationId: 'endAgentSessions',
  summary: "End an agent's sessions",
  description:
    'Signs the person of the agent out of this tenant, everywhere within 2 seconds, open streams included: in all sessions, or in those that are named. They can sign in again; to keep somebody out, delete the agent. Only owners end the sessions of owners.',
  tag: 'Agents',
  scope: 'agents:write',
  permission: 'agents:manage',
  params: AgentIdParams,
  body: EndAgentSessions,
  bodyIsOptional: true,
  bodyExamples: {
    all: { summary: 'End all sessions', value: {} },
    one: { summary: 'End one session', value: { session_ids: ['0190a6fb-1111-7222-8333-444455556666'] } },
  },
  answer: { status: 200, description: 'How many have ended.', schema: EndedSessions, example: { ended: 2 } },
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      const sessionIds = request.body?.session_ids?.map((id) => id.toLowerCase()) ?? null;
      const asked = { ...requesterOf(request), acting: request.agent, agentId: request.params.id.toLowerCase() };
      return { ended: await endSessionsOfAgent(rt, db, { ...asked, sessionIds }) };
    };
  },
});

/** In the order of the documentation. */
export const colleagueOperations: readonly Operation[] = [
  listPeopleRoute,
  listAgentSessionsRoute,
  endAgentSessionsRoute,
];

function presentColleague(colleague: Colleague): JsonObject {
  const { agentId, role, name, email, sessions, lastUsedMs, invitedMs, invitedUntilMs } = colleague;
  const isInvited = invitedMs !== null && invitedUntilMs !== null;
  return {
    agent_id: agentId,
    role,
    name,
    email,
    open_sessions: sessions,
    last_used_at: lastUsedMs === null ? null : formatRfc3339(lastUsedMs),
    invitation: isInvited ? { created_at: formatRfc3339(invitedMs), expires_at: formatRfc3339(invitedUntilMs) } : null,
  };
}
