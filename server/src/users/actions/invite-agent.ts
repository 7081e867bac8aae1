import { audit } from '#access/actions/audit';
import { type Granted, requireGranted } from '#access/actions/require-granted';
import { type AgentRequest, requireOwnerFor } from '#agents/actions/manage-agents';
import type { Agent } from '#agents/domain/agent';
import { lockAgent } from '#agents/store/agents';
import { scopeNames } from '#core/caller/scopes';
import { ApiProblem, requireFound } from '#core/errors';
import type { UserId } from '#core/ids';
import type { Database, Transaction } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { INVITATION_MS } from '#users/domain/user';
import { deleteUnusedLinks } from '#users/store/sign-in-links';
import { findUserOfAgent, insertUser, linkAgent, worksElsewhere } from '#users/store/users';
import { storeLink } from './sign-in.ts';

/** Who invites which agent. */
export interface InvitationRequest extends AgentRequest, Granted {
  readonly agentId: string;
}

/** A link to hand to the person; it works once. */
export interface Invitation {
  readonly url: string;
  readonly expiresMs: number;
  /** Of the agent. */
  readonly name: string;
  readonly email: string | null;
}

/** The refusal of a link for a person of several tenants. */
export const ELSEWHERE =
  'This person works in other tenants too, and a link would let its finder into those. Ask the operator of this service.';

/**
 * Makes a link with which a person signs in as an agent, who becomes theirs if nobody was that agent yet. Links that were made
 * for the person before, and not used, stop working.
 * @throws ApiProblem not_found; conflict for a person who works in other tenants too, which a link would let into; forbidden for an owner, unless an owner asks, or a key that may not do everything that a person may
 */
export function inviteAgent(rt: Runtime, db: Database, request: InvitationRequest): Promise<Invitation> {
  const { tenantId, origin, acting, agentId } = request;
  // Whoever signs in has every scope that the role allows: a key must not give more than it has.
  if (acting === null) requireGranted(request, scopeNames);
  return db.transaction(async (tx) => {
    const agent = requireFound(await lockAgent(tx, tenantId, agentId));
    requireOwnerFor(acting, [agent.role]);
    const nowMs = rt.clock.now();
    let userId = await findUserOfAgent(tx, tenantId, agent.agentId);
    if (userId === null) {
      userId = await makeUserOf(rt, tx, agent);
      await linkAgent(tx, tenantId, agent.agentId, userId);
    } else if (await worksElsewhere(tx, tenantId, userId)) throw new ApiProblem('conflict', { sentence: ELSEWHERE });
    await deleteUnusedLinks(tx, userId);
    const url = await storeLink(rt, tx, { userId, lifetimeMs: INVITATION_MS });
    const details = { name: agent.name, role: agent.role };
    await audit(rt, tx, { tenantId, origin, action: 'agent.invited', targetId: agent.agentId, details });
    return { url, expiresMs: nowMs + INVITATION_MS, name: agent.name, email: agent.email };
  });
}

/** A person with the name of the agent, and with its email address unless somebody else signs in with that. */
async function makeUserOf(rt: Runtime, tx: Transaction, { name, email }: Agent): Promise<UserId> {
  const nowMs = rt.clock.now();
  const userId = rt.newId<UserId>();
  const user = { userId, name, email, preferences: {}, createdMs: nowMs, updatedMs: nowMs };
  if (!(await insertUser(tx, user))) await insertUser(tx, { ...user, email: null });
  return userId;
}
