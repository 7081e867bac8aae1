import type { FastifyRequest } from 'fastify';
import { type Agent, may, type Permission } from '#core/agent';
import { ApiProblem } from '#core/errors';
import { isUuid } from '#core/ids';
import { findAgent } from '#storage/agents';
import type { HttpDeps } from '../deps.ts';
import { problemOf } from '../validation/faults.ts';
import { principalOf } from './auth.ts';

const HEADER = 'x-agent-id';

/** For the documentation of operations that an agent can ask for. */
export const agentHeader = {
  name: 'X-Agent-Id',
  description: 'The agent that asks, for a key that acts for several. What its role does not allow is refused.',
  example: '0190a6f8-1111-7222-8333-444455556666',
} as const;

/**
 * The agent that asks: the one that the key is bound to, else the one that X-Agent-Id names. Null: a program asks, and
 * may do what its key may.
 * @throws ApiProblem validation_failed for what is no id, forbidden when the key is bound to another agent, not_found for
 * an agent that the tenant does not have, in the same words whosever it is
 */
export async function actingAgent(
  { db }: Pick<HttpDeps, 'db'>,
  request: Pick<FastifyRequest, 'principal' | 'headers'>,
): Promise<Agent | null> {
  const { tenantId, agentId: bound } = principalOf(request);
  const named = namedAgent(request);
  if (bound !== null && named !== null && named !== bound) throw new ApiProblem('forbidden', { sentence: BOUND });
  const agentId = bound ?? named;
  if (agentId === null) return null;
  const agent = await findAgent(db, tenantId, agentId);
  if (agent === null) throw new ApiProblem('not_found', { sentence: NO_SUCH_AGENT });
  return agent;
}

/**
 * The same, when it may do what is asked.
 * @throws ApiProblem forbidden when the role of the agent does not allow it, and whatever `actingAgent` throws
 */
export async function agentWho(
  deps: Pick<HttpDeps, 'db'>,
  request: Pick<FastifyRequest, 'principal' | 'headers'>,
  permission: Permission,
): Promise<Agent | null> {
  const agent = await actingAgent(deps, request);
  if (agent === null || may(agent, permission)) return agent;
  throw new ApiProblem('forbidden', { sentence: `The role ${agent.role} lacks the permission ${permission}.` });
}

const BOUND = 'This API key acts for another agent than X-Agent-Id names.';
const NO_SUCH_AGENT = 'There is no such agent.';

function namedAgent({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const value = headers[HEADER];
  if (value === undefined) return null;
  const id = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (isUuid(id)) return id;
  throw problemOf([{ path: `header.${HEADER}`, message: 'X-Agent-Id must be the UUID of an agent.' }]);
}
