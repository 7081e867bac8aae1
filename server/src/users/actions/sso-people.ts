import { audit } from '#access/actions/audit';
import { updateAgent } from '#agents/actions/manage-agents';
import { type Agent, DEFAULT_MAX_OPEN } from '#agents/domain/agent';
import { describeAgent } from '#agents/domain/agent-events';
import { insertAgent } from '#agents/store/agents';
import type { Origin } from '#core/caller/origin';
import type { AgentRole } from '#core/caller/permissions';
import { ApiProblem } from '#core/errors';
import type { AgentId, TenantId, UserId } from '#core/ids';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import type { ProviderClaims } from '#users/domain/sso';
import type { Membership } from '#users/domain/user';
import { addIdentity } from '#users/store/sso-sign-ins';
import { insertUser, linkAgent } from '#users/store/users';

/** A name that the provider does not say. */
const NAMELESS = 'New colleague';
const MAX_NAME = 100;
const MAX_EMAIL = 254;

interface NewPerson {
  readonly tenantId: TenantId;
  readonly origin: Origin;
  readonly role: AgentRole;
  readonly claims: ProviderClaims;
}

/** Another request has made the person meanwhile. */
class KnownMeanwhile extends Error {}

/** Makes a person and their agent of an identity that nobody has yet. Whoever comes twice at a time becomes one person. */
export async function addSsoPerson(rt: Runtime, db: Database, person: NewPerson): Promise<void> {
  try {
    await insertPerson(rt, db, person);
  } catch (error) {
    if (!(error instanceof KnownMeanwhile)) throw error;
  }
}

function insertPerson(rt: Runtime, db: Database, { tenantId, origin, role, claims }: NewPerson): Promise<void> {
  return withEvents(rt, db, async (tx, events) => {
    const nowMs = rt.clock.now();
    const [userId, agentId] = [rt.newId<UserId>(), rt.newId<AgentId>()];
    const { issuer, subject, email } = claims;
    if (!(await addIdentity(tx, { tenantId, issuer, subject, userId }, nowMs))) throw new KnownMeanwhile();
    const name = (claims.name ?? email ?? NAMELESS).slice(0, MAX_NAME);
    // What the provider of one tenant says is nobody's email address for the whole installation.
    await insertUser(tx, { userId, name, email: null, preferences: {}, createdMs: nowMs, updatedMs: nowMs });
    const agent: Agent = {
      tenantId,
      agentId,
      name,
      email: email !== null && email.length <= MAX_EMAIL ? email : null,
      role,
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
    const details = { name, role };
    await audit(rt, tx, { tenantId, origin, action: 'agent.created', targetId: agentId, details });
    events.add({ tenantId, type: 'agent.created', data: describeAgent(agent, nowMs) });
  });
}

/** Gives an agent the role that their groups say. The last owner stays one, whatever the provider says. */
export async function followGroups(
  rt: Runtime,
  db: Database,
  { membership, origin, role }: { readonly membership: Membership; readonly origin: Origin; readonly role: AgentRole },
): Promise<void> {
  if (membership.role === role) return;
  const { tenantId, agentId } = membership;
  const request = { tenantId, origin, acting: null, agentId, versions: null };
  try {
    await updateAgent(rt, db, request, { role });
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'conflict') throw error;
    rt.log.warn({ tenantId, agentId }, 'sso.last_owner_kept');
  }
}
