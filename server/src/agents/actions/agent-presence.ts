import { type Agent, type Availability, availabilityAt, PRESENCE_MS } from '#agents/domain/agent';
import { isAnyExpired, lockAgent, lockExpiredAgents } from '#agents/store/agents';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { saveChange } from './manage-agents.ts';

interface Presence {
  readonly tenantId: TenantId;
  readonly agentId: string;
  /** Null: unchanged; an agent who was offline is online. */
  readonly availability: Availability | null;
}

/**
 * A sign of life of an agent: what it says holds for `PRESENCE_MS`. Who says offline needs no further sign.
 * @throws ApiProblem not_found
 */
export function setAgentPresence(rt: Runtime, db: Database, presence: Presence): Promise<Agent> {
  const { tenantId, agentId } = presence;
  return withEvents(rt, db, async (tx, events) => {
    const before = await lockAgent(tx, tenantId, agentId);
    if (before === null) throw new ApiProblem('not_found');
    const nowMs = rt.clock.now();
    const was = availabilityAt(before, nowMs);
    const availability = presence.availability ?? (was === 'offline' ? 'online' : was);
    const presenceUntilMs = availability === 'offline' ? null : nowMs + PRESENCE_MS;
    return saveChange(rt, tx, events, { before, wanted: { ...before, availability, presenceUntilMs } });
  });
}

/** Agents that one transaction makes offline: each is an event. */
const EXPIRE_AT_ONCE = 200;

/**
 * Sets agents offline whose last sign of life is too old, with one event each, however many processes do so.
 * @returns how many
 */
export async function expirePresence(rt: Runtime, db: Database): Promise<number> {
  const nowMs = rt.clock.now();
  if (!(await isAnyExpired(db, nowMs))) return 0;
  return withEvents(rt, db, async (tx, events) => {
    const agents = await lockExpiredAgents(tx, nowMs, EXPIRE_AT_ONCE);
    for (const agent of agents) {
      // To be recorded as a change: it counts as offline since its time ran out.
      const before = { ...agent, presenceUntilMs: null };
      await saveChange(rt, tx, events, { before, wanted: { ...before, availability: 'offline' } });
    }
    return agents.length;
  });
}
