import { audit } from '#access/actions/audit';
import { OPERATOR } from '#access/domain/audit';
import { type Agent, DEFAULT_MAX_OPEN } from '#agents/domain/agent';
import { describeAgent } from '#agents/domain/agent-events';
import { insertAgent } from '#agents/store/agents';
import type { AgentId, TenantId, UserId } from '#core/ids';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { findOwnerOf, insertUser, linkAgent } from '#users/store/users';

/** A tenant's first person, until they say their name. */
const FIRST_NAME = 'Owner';

/** A person who owns a tenant: the first that there is, else a new one, with an agent of the role owner. */
export async function ensureOwner(rt: Runtime, db: Database, tenantId: TenantId): Promise<UserId> {
  const known = await findOwnerOf(db, tenantId);
  return (
    known ??
    withEvents(rt, db, async (tx, events) => {
      const nowMs = rt.clock.now();
      const [userId, agentId] = [rt.newId<UserId>(), rt.newId<AgentId>()];
      await insertUser(tx, {
        userId,
        name: FIRST_NAME,
        email: null,
        preferences: {},
        createdMs: nowMs,
        updatedMs: nowMs,
      });
      const agent: Agent = {
        tenantId,
        agentId,
        name: FIRST_NAME,
        email: null,
        role: 'owner',
        availability: 'offline',
        presenceUntilMs: null,
        maxOpen: DEFAULT_MAX_OPEN,
        openCount: 0,
        skills: [],
        externalId: null,
        teamIds: [],
        version: 1,
        createdMs: nowMs,
        updatedMs: nowMs,
      };
      await insertAgent(tx, agent);
      await linkAgent(tx, tenantId, agentId, userId);
      const details = { name: FIRST_NAME, role: agent.role };
      await audit(rt, tx, { tenantId, origin: OPERATOR, action: 'agent.created', targetId: agentId, details });
      events.add({ tenantId, type: 'agent.created', data: describeAgent(agent, nowMs) });
      return userId;
    })
  );
}
