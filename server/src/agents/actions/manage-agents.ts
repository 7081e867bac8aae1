import { audit } from '#access/actions/audit';
import { requireVersion, type VersionedRequest } from '#access/actions/require-version';
import { changeDetails } from '#access/domain/audit';
import type { Agent } from '#agents/domain/agent';
import { changesBetween, describeAgent } from '#agents/domain/agent-events';
import {
  deleteAgent,
  hasConversations,
  hasNamesake,
  insertAgent,
  lockAgent,
  lockOwners,
  saveAgent,
} from '#agents/store/agents';
import type { Requester } from '#core/caller/origin';
import { type AgentRole, may } from '#core/caller/permissions';
import { ApiProblem } from '#core/errors';
import type { AgentId } from '#core/ids';
import type { Database, Transaction } from '#database/database';
import { type EventSink, withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';

/** Who asks for a change of agents. */
export interface AgentRequest extends Requester {
  /** The agent that asks; null: a program, which may do what its key may. */
  readonly acting: Pick<Agent, 'role'> | null;
}

/** A request that changes one agent. */
export interface OneAgentRequest extends AgentRequest, VersionedRequest {
  readonly agentId: string;
}

export type NewAgent = Omit<
  Agent,
  'tenantId' | 'agentId' | 'openCount' | 'teamIds' | 'version' | 'createdMs' | 'updatedMs'
>;

/** What is left out stays as it is. An availability that is set by hand holds until it is set again. */
export type AgentInput = Partial<Omit<NewAgent, 'presenceUntilMs'>>;

/**
 * Adds an agent.
 * @throws ApiProblem conflict when another one has the external id, forbidden when an owner is created by someone who
 * is not an owner
 */
export function createAgent(
  rt: Runtime,
  db: Database,
  { tenantId, origin, acting, fields }: AgentRequest & { readonly fields: NewAgent },
): Promise<Agent> {
  requireOwnerFor(acting, [fields.role]);
  return withEvents(rt, db, async (tx, events) => {
    const nowMs = rt.clock.now();
    const agentId = rt.newId<AgentId>();
    const known = { openCount: 0, teamIds: [], version: 1, createdMs: nowMs, updatedMs: nowMs };
    const agent: Agent = { tenantId, agentId, ...fields, ...known };
    await requireNoNamesake(tx, agent);
    if (!(await insertAgent(tx, agent))) throw new ApiProblem('conflict', { sentence: NAMESAKE });
    const details = { name: agent.name, role: agent.role };
    await audit(rt, tx, { tenantId, origin, action: 'agent.created', targetId: agentId, details });
    events.add({ tenantId, type: 'agent.created', data: describeAgent(agent, nowMs) });
    return agent;
  });
}

/**
 * Changes an agent.
 * @throws ApiProblem not_found, precondition_failed, forbidden, conflict for an external id that is taken or the last owner
 */
export function updateAgent(rt: Runtime, db: Database, request: OneAgentRequest, wish: AgentInput): Promise<Agent> {
  return withEvents(rt, db, async (tx, events) => {
    const before = await assertAgent(tx, request);
    const wanted: Agent = { ...before, ...wish, ...(wish.availability === undefined ? {} : { presenceUntilMs: null }) };
    requireOwnerFor(request.acting, wanted.role === before.role ? ownerOf(before) : [before.role, wanted.role]);
    if (before.role === 'owner' && wanted.role !== 'owner') await requireAnotherOwner(tx, before);
    await requireNoNamesake(tx, wanted);
    const nowMs = rt.clock.now();
    const { availability: _was, ...changes } = changesBetween(
      describeAgent(before, nowMs),
      describeAgent(wanted, nowMs),
    );
    const after = await saveChange(rt, tx, events, { before, wanted });
    if (Object.keys(changes).length === 0) return after;
    const { tenantId, agentId } = after;
    const details = changeDetails(changes, ['role', 'permissions', 'capacity', 'skills']);
    await audit(rt, tx, { tenantId, origin: request.origin, action: 'agent.changed', targetId: agentId, details });
    events.add({ tenantId, type: 'agent.updated', data: { ...describeAgent(after, nowMs), changes } });
    return after;
  });
}

/**
 * Writes an agent that the caller has locked, and records an event when its availability differs. An identical value is
 * not a change.
 */
export async function saveChange(
  rt: Runtime,
  tx: Transaction,
  events: EventSink,
  { before, wanted }: { readonly before: Agent; readonly wanted: Agent },
): Promise<Agent> {
  const nowMs = rt.clock.now();
  const [was, is] = [describeAgent(before, nowMs), describeAgent(wanted, nowMs)];
  const changes = changesBetween(was, is);
  const isChanged = Object.keys(changes).length > 0;
  const after = isChanged ? { ...wanted, version: before.version + 1, updatedMs: nowMs } : wanted;
  await saveAgent(tx, after);
  if (changes.availability !== undefined) {
    const data = { ...describeAgent(after, nowMs), changes: { availability: changes.availability } };
    events.add({ tenantId: after.tenantId, type: 'agent.availability_changed', data });
  }
  return after;
}

/** An agent to delete, and the caller. */
export interface Leaving extends Requester {
  readonly agentId: AgentId;
}

/** Takes an agent away from some of its conversations, in one transaction. @returns whether there may be more */
export type UnassignStep = (rt: Runtime, db: Database, leaving: Leaving) => Promise<boolean>;

/**
 * Removes an agent. Its conversations lose it first, each with an entry in its history, and wait for another one.
 * @throws ApiProblem not_found, precondition_failed, forbidden, conflict for the last owner
 */
export async function removeAgent(
  rt: Runtime,
  db: Database,
  unassign: UnassignStep,
  request: OneAgentRequest,
): Promise<Agent> {
  // First it gets no more conversations; then those it has are unassigned in portions, so that no transaction is long.
  const { tenantId, agentId } = await withEvents(rt, db, async (tx, events) => {
    const before = await requireRemovable(tx, request);
    const wanted: Agent = { ...before, availability: 'offline', presenceUntilMs: null };
    return saveChange(rt, tx, events, { before, wanted });
  });
  let removed: Agent | null = null;
  while (removed === null) {
    while (await unassign(rt, db, { tenantId, agentId, origin: request.origin })) {
      // The next piece.
    }
    removed = await removeIfFree(rt, db, request);
  }
  return removed;
}

/** Null when the agent was assigned another conversation in the meantime: nothing is deleted then. */
function removeIfFree(rt: Runtime, db: Database, request: OneAgentRequest): Promise<Agent | null> {
  return withEvents(rt, db, async (tx, events) => {
    const agent = await requireRemovable(tx, { ...request, versions: null });
    const { tenantId, agentId } = agent;
    // Who assigns holds the agent until the commit: with the agent in our hands, everything that it was given can be seen.
    if (await hasConversations(tx, tenantId, agentId)) return null;
    const nowMs = rt.clock.now();
    await deleteAgent(tx, agent, nowMs);
    const details = { name: agent.name, role: agent.role };
    await audit(rt, tx, { tenantId, origin: request.origin, action: 'agent.deleted', targetId: agentId, details });
    events.add({ tenantId, type: 'agent.deleted', data: describeAgent({ ...agent, openCount: 0 }, nowMs) });
    return agent;
  });
}

async function requireRemovable(tx: Transaction, request: OneAgentRequest): Promise<Agent> {
  const agent = await assertAgent(tx, request);
  requireOwnerFor(request.acting, ownerOf(agent));
  if (agent.role === 'owner') await requireAnotherOwner(tx, agent);
  return agent;
}

async function assertAgent(tx: Transaction, { tenantId, agentId, versions }: OneAgentRequest): Promise<Agent> {
  // Owners first: two who delete each other concurrently would both be the last but one.
  await lockOwners(tx, tenantId);
  return requireVersion('agent', await lockAgent(tx, tenantId, agentId), versions);
}

function ownerOf({ role }: Agent): readonly AgentRole[] {
  return role === 'owner' ? ['owner'] : [];
}

/** An owner is made, changed and removed by owners, and by programs. */
export function requireOwnerFor(acting: Pick<Agent, 'role'> | null, roles: readonly AgentRole[]): void {
  if (acting === null || !roles.includes('owner') || may(acting, 'owners:manage')) return;
  throw new ApiProblem('forbidden', { sentence: 'Only an owner can create, update or delete owners.' });
}

/** The refusal of removing the last owner. */
export const LAST_OWNER = 'This is the last owner. Make another agent an owner first.';

async function requireAnotherOwner(tx: Transaction, { tenantId, agentId }: Agent): Promise<void> {
  const owners = await lockOwners(tx, tenantId);
  if (owners.every((id) => id === agentId)) throw new ApiProblem('conflict', { sentence: LAST_OWNER });
}

/** The refusal of an external id that another agent has. */
export const NAMESAKE = 'Another agent already has this external_id.';

async function requireNoNamesake(tx: Transaction, agent: Agent): Promise<void> {
  if (await hasNamesake(tx, agent)) throw new ApiProblem('conflict', { sentence: NAMESAKE });
}
