import { audit } from '#access/actions/audit';
import { OPERATOR } from '#access/domain/audit';
import { type Agent, DEFAULT_MAX_OPEN } from '#agents/domain/agent';
import { describeAgent } from '#agents/domain/agent-events';
import { insertAgent } from '#agents/store/agents';
import type { AgentRole } from '#core/caller/permissions';
import type { AgentId, TenantId, UserId } from '#core/ids';
import { OperatorError } from '#core/operator-error';
import type { Database, Transaction } from '#database/database';
import { type EventSink, withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { INVITATION_MS } from '#users/domain/user';
import { hasWayIn } from '#users/domain/ways-in';
import { findCredentialsByEmail, readWaysIn } from '#users/store/credentials';
import { deleteUnusedLinks } from '#users/store/sign-in-links';
import { insertUser, linkAgent, worksIn } from '#users/store/users';
import { storeLink } from './sign-in.ts';

/** Whom the operator brings into a tenant. */
export interface PersonInvitation {
  readonly tenantId: TenantId;
  readonly email: string;
  /** For a person who is not known yet. */
  readonly name: string;
  readonly role: AgentRole;
}

/** A person who now works in the tenant. */
export interface InvitedPerson {
  readonly userId: UserId;
  readonly agentId: AgentId;
  /** Null: the person can sign in already, and finds the tenant in the menu. */
  readonly url: string | null;
}

/**
 * Makes a person an agent of a tenant: a new one, or one who works in other tenants already. Links that were made for them
 * before stop working, since whoever made those must not get into this tenant.
 * @throws OperatorError when the person works in the tenant already
 */
export function invitePerson(rt: Runtime, db: Database, invitation: PersonInvitation): Promise<InvitedPerson> {
  return withEvents(rt, db, async (tx, events) => {
    const { tenantId, email } = invitation;
    const known = await findCredentialsByEmail(tx, email);
    const name = known?.name ?? invitation.name;
    const userId = known?.userId ?? (await makeUser(rt, tx, { name, email }));
    if (await worksIn(tx, tenantId, userId)) throw new OperatorError(`${name} works in this tenant already.`);
    const agentId = await addAgent(rt, tx, events, { ...invitation, name, userId });
    await deleteUnusedLinks(tx, userId);
    const needsLink = !hasWayIn(await readWaysIn(tx, userId));
    return { userId, agentId, url: needsLink ? await storeLink(rt, tx, { userId, lifetimeMs: INVITATION_MS }) : null };
  });
}

/** @throws OperatorError when somebody else got the address at the same moment */
async function makeUser(
  rt: Runtime,
  tx: Transaction,
  { name, email }: { readonly name: string; readonly email: string },
): Promise<UserId> {
  const userId = rt.newId<UserId>();
  const nowMs = rt.clock.now();
  const isNew = await insertUser(tx, { userId, name, email, preferences: {}, createdMs: nowMs, updatedMs: nowMs });
  if (!isNew) throw new OperatorError('Somebody with this email address was added a moment ago. Try again.');
  return userId;
}

async function addAgent(
  rt: Runtime,
  tx: Transaction,
  events: EventSink,
  { tenantId, userId, name, email, role }: PersonInvitation & { readonly userId: UserId },
): Promise<AgentId> {
  const nowMs = rt.clock.now();
  const agentId = rt.newId<AgentId>();
  const agent: Agent = {
    ...{ tenantId, agentId, name, email, role, availability: 'offline', presenceUntilMs: null },
    ...{ maxOpen: DEFAULT_MAX_OPEN, openCount: 0, skills: [], externalId: null, teamIds: [], version: 1 },
    createdMs: nowMs,
    updatedMs: nowMs,
  };
  await insertAgent(tx, agent);
  await linkAgent(tx, tenantId, agentId, userId);
  const details = { name, role };
  await audit(rt, tx, { tenantId, origin: OPERATOR, action: 'agent.created', targetId: agentId, details });
  await audit(rt, tx, { tenantId, origin: OPERATOR, action: 'agent.invited', targetId: agentId, details });
  events.add({ tenantId, type: 'agent.created', data: describeAgent(agent, nowMs) });
  return agentId;
}
