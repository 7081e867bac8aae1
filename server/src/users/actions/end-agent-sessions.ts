import { audit } from '#access/actions/audit';
import { type AgentRequest, requireOwnerFor } from '#agents/actions/manage-agents';
import { lockAgent } from '#agents/store/agents';
import { requireFound } from '#core/errors';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { endAgentSessions } from '#users/store/agent-sessions';

/** Whose sessions somebody else ends. */
export interface EndingRequest extends AgentRequest {
  readonly agentId: string;
  /** In lower case; null: all of them. Those that are not the agent's, or have ended, are passed over. */
  readonly sessionIds: readonly string[] | null;
}

/**
 * Ends sessions of a colleague in this tenant, everywhere within 2 seconds. Sessions in other tenants go on: those are none of
 * this one's business.
 * @returns how many were open
 * @throws ApiProblem not_found; forbidden for those of an owner, unless an owner or a program asks
 */
export function endSessionsOfAgent(rt: Runtime, db: Database, request: EndingRequest): Promise<number> {
  const { tenantId, origin, acting, sessionIds: ids } = request;
  return db.transaction(async (tx) => {
    const agent = requireFound(await lockAgent(tx, tenantId, request.agentId));
    requireOwnerFor(acting, [agent.role]);
    const ended = await endAgentSessions(tx, agent, { nowMs: rt.clock.now(), ids });
    for (const { agentId } of ended)
      await audit(rt, tx, { tenantId, origin, action: 'session.ended', targetId: agentId, details: {} });
    return ended.length;
  });
}
