import type { FastifyRequest } from 'fastify';
import type { Actor } from '#core/conversation';
import { ApiProblem } from '#core/errors';
import { type AgentId, isUuid } from '#core/ids';
import { problemOf } from '../validation/faults.ts';
import { principalOf } from './auth.ts';

const HEADER = 'x-agent-id';

type Asked = Pick<FastifyRequest, 'headers' | 'principal'>;

/**
 * The agent that the request acts for: the one that its key is bound to, else the one that the header names; null without
 * either.
 * @throws ApiProblem validation_failed when the header is no UUID, forbidden when the key is bound to another agent
 */
export function agentOf(request: Asked): AgentId | null {
  const { agentId: bound } = principalOf(request);
  const named = namedAgent(request);
  if (bound === null || named === null || named === bound) return bound ?? named;
  throw new ApiProblem('forbidden', { sentence: 'This API key acts for another agent than X-Agent-Id names.' });
}

function namedAgent({ headers }: Asked): AgentId | null {
  const header = headers[HEADER];
  if (header === undefined) return null;
  const id = String(header).toLowerCase();
  if (isUuid(id)) return id as AgentId;
  throw problemOf([{ path: `header.${HEADER}`, message: 'X-Agent-Id must be a UUID.' }]);
}

/** The same, of an operation that is for agents alone. @throws ApiProblem validation_failed without the header */
export function demandAgent(request: Asked): AgentId {
  const agentId = agentOf(request);
  if (agentId !== null) return agentId;
  throw problemOf([{ path: `header.${HEADER}`, message: 'X-Agent-Id must name the agent who acts.' }]);
}

/** Who acts: the agent, else the key. */
export function actorOf(request: Asked): Actor {
  const agentId = agentOf(request);
  return agentId === null ? { kind: 'key', id: principalOf(request).keyId } : { kind: 'agent', id: agentId };
}

export const agentHeader = {
  name: 'X-Agent-Id',
  description: 'The agent that the key acts for; without it the key itself acts.',
  example: '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e5f',
} as const;

export const requiredAgentHeader = { ...agentHeader, description: 'The agent who acts.', required: true } as const;
