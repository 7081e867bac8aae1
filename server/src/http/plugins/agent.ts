import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Actor } from '#core/caller/actor';
import { type AgentRole, may, type Permission } from '#core/caller/permissions';
import { credentialId } from '#core/caller/principal';
import { ApiProblem } from '#core/errors';
import { type AgentId, isUuid, type TenantId } from '#core/ids';
import { problemOf } from '#http/validation/faults';
import { principalOf } from './auth.ts';

/** The agent that a request acts for. */
export interface ActingAgent {
  readonly agentId: AgentId;
  readonly role: AgentRole;
}

/** Finds an agent of a tenant; null: it has none of this id. */
export type FindAgent = (tenantId: TenantId, agentId: AgentId) => Promise<ActingAgent | null>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The agent that the request acts for; null: a program asks, and may do what its key may. */
    agent: ActingAgent | null;
  }
}

const HEADER = 'x-agent-id';

/** For the documentation: every operation that needs a key takes it. */
export const agentHeader = {
  name: 'X-Agent-Id',
  description:
    'Agent that the key acts for. Actions that its role does not allow are rejected. Without it, the key acts for itself.',
  example: '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e5f',
} as const;

export const requiredAgentHeader = { ...agentHeader, description: 'Agent to act as.', required: true } as const;

type Asked = Pick<FastifyRequest, 'headers' | 'principal'>;

/**
 * Learns which agent a request acts for, and lets it pass when the role of that one allows what is asked. It stands behind
 * `requireKey`. Callback style: a request that acts for nobody must not cost a promise.
 */
export function requireAgent(findAgent: FindAgent, permission: Permission): onRequestHookHandler {
  return (request, _reply, done) => {
    const agentId = agentIdOf(request);
    if (agentId === null) return done();
    if (agentId instanceof Error) return done(agentId);
    findAgent(principalOf(request).tenantId, agentId).then((agent) => {
      request.agent = agent;
      done(agent === null ? nobody(request) : refusal(agent, permission));
    }, done);
  };
}

/** The one that the key is bound to, else the one that the header names. */
function agentIdOf(request: Asked): AgentId | ApiProblem | null {
  const { agentId: bound, session } = principalOf(request);
  const header = request.headers[HEADER];
  if (header === undefined) return bound;
  const named = String(header).trim().toLowerCase();
  if (!isUuid(named)) return headerProblem('X-Agent-Id must be the UUID of an agent.');
  if (bound === null || named === bound) return named as AgentId;
  const who = session === null ? 'This API key acts' : 'You are signed in';
  return new ApiProblem('forbidden', {
    sentence: `${who} ${session === null ? 'for' : 'as'} an agent other than the one in X-Agent-Id.`,
  });
}

/** In the same words whether nobody has the agent or another tenant does. */
function nobody(request: Asked): ApiProblem {
  if (request.headers[HEADER] !== undefined) return headerProblem('X-Agent-Id does not name an agent of this tenant.');
  return new ApiProblem('forbidden', { sentence: 'The agent that this API key acts for was deleted.' });
}

function headerProblem(message: string): ApiProblem {
  return problemOf([{ path: `header.${HEADER}`, message }]);
}

function refusal(agent: ActingAgent, permission: Permission): ApiProblem | undefined {
  if (may(agent, permission)) return undefined;
  return new ApiProblem('forbidden', { sentence: `The role ${agent.role} lacks the permission ${permission}.` });
}

/**
 * The agent that the request acts for, of an operation that is for agents alone.
 * @throws ApiProblem validation_failed when it acts for none
 */
export function assertAgent({ agent }: Pick<FastifyRequest, 'agent'>): AgentId {
  if (agent !== null) return agent.agentId;
  throw headerProblem('X-Agent-Id must name the acting agent.');
}

/**
 * For what the operation as such does not tell: a permission that only this request needs. A program has them all.
 * @throws ApiProblem forbidden
 */
export function requirePermission({ agent }: Pick<FastifyRequest, 'agent'>, permission: Permission): void {
  const refused = agent === null ? undefined : refusal(agent, permission);
  if (refused) throw refused;
}

/** Who acts: the agent, else the key. */
export function actorOf(request: Pick<FastifyRequest, 'agent' | 'principal'>): Actor {
  const { agent } = request;
  return agent === null
    ? { kind: 'key', id: credentialId(principalOf(request)) }
    : { kind: 'agent', id: agent.agentId };
}
