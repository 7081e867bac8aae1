import { audit } from '#access/actions/audit';
import { type AgentRequest, requireOwnerFor } from '#agents/actions/manage-agents';
import { lockAgent } from '#agents/store/agents';
import { ApiProblem, requireFound } from '#core/errors';
import type { Database } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { takeBackInvitation } from '#users/store/people';
import { findUserOfAgent, worksElsewhere } from '#users/store/users';
import { ELSEWHERE } from './invite-agent.ts';

/**
 * Takes back the invitation of an agent that was not used: its link stops working. The agent stays.
 * @throws ApiProblem not_found without such an invitation; conflict for a person who works in other tenants too, whose link
 *   the operator made; forbidden for an owner, unless an owner or a program asks
 */
export function withdrawInvitation(
  rt: Runtime,
  db: Database,
  request: AgentRequest & { readonly agentId: string },
): Promise<void> {
  const { tenantId, origin, acting, agentId } = request;
  return db.transaction(async (tx) => {
    const agent = requireFound(await lockAgent(tx, tenantId, agentId));
    requireOwnerFor(acting, [agent.role]);
    const userId = requireFound(await findUserOfAgent(tx, tenantId, agent.agentId));
    if (await worksElsewhere(tx, tenantId, userId)) throw new ApiProblem('conflict', { sentence: ELSEWHERE });
    if (!(await takeBackInvitation(tx, userId, rt.clock.now()))) throw new ApiProblem('not_found');
    const details = { name: agent.name, role: agent.role };
    const action = 'agent.invitation_withdrawn';
    await audit(rt, tx, { tenantId, origin, action, targetId: agent.agentId, details });
  });
}
