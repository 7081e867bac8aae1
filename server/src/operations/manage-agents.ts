import type { Agent, AgentRole, Availability } from '#core/agent';
import { changesBetween, describeAgent } from '#core/agent-news';
import { changeDetails, type Origin } from '#core/audit';
import { ApiProblem } from '#core/errors';
import type { AgentId, TenantId } from '#core/ids';
import { may } from '#core/permissions';
import type { Runtime } from '#runtime/runtime';
import {
  deleteAgent,
  hasConversations,
  hasNamesake,
  insertAgent,
  lockAgent,
  lockConversationsOf,
  lockOwners,
  saveAgent,
} from '#storage/agents';
import type { Database, SqlRunner } from '#storage/database';
import type { IdempotencyClaim } from './accept-message.ts';
import { audit } from './audit.ts';
import { updateConversation } from './change-conversation.ts';
import { changeOnce, type Once } from './change-once.ts';
import { demandVersion } from './demand-version.ts';
import type { Answer } from './run-once.ts';
import { type EventSink, withEvents } from './with-events.ts';

/** Who asks for a change of agents. */
export interface AgentRequest {
  readonly tenantId: TenantId;
  readonly origin: Origin;
  /** The agent that asks; null: a program, which may do what its key may. */
  readonly acting: Agent | null;
}

/** A request that changes one agent. */
export interface OneAgentRequest extends AgentRequest {
  readonly agentId: string;
  /** From If-Match; null: whatever the version is. */
  readonly versions: readonly number[] | null;
}

/** What is left out stays as it is. */
export interface AgentWish {
  readonly name?: string;
  readonly email?: string | null;
  readonly role?: AgentRole;
  /** Set by hand: holds until it is set again. */
  readonly availability?: Availability;
  readonly maxOpen?: number;
  readonly skills?: readonly string[];
  readonly externalId?: string | null;
}

export type NewAgent = Omit<
  Agent,
  'tenantId' | 'agentId' | 'openCount' | 'teamIds' | 'version' | 'createdMs' | 'updatedMs'
>;

interface OnceOnly<T> {
  readonly claim: IdempotencyClaim | null;
  readonly keep: (made: T) => Answer;
}

/**
 * Adds an agent.
 * @throws ApiProblem conflict when another one has the external id, forbidden for an owner made by
 * someone who is none
 */
export function createAgent(
  rt: Runtime,
  db: Database,
  { tenantId, origin, acting, fields, claim, keep }: AgentRequest & OnceOnly<Agent> & { readonly fields: NewAgent },
): Promise<Once<Agent>> {
  demandOwnerFor(acting, [fields.role]);
  return changeOnce(rt, db, { tenantId, claim, keep }, async (tx, events) => {
    const nowMs = rt.clock.now();
    const agentId = rt.newId<AgentId>();
    const known = { openCount: 0, teamIds: [], version: 1, createdMs: nowMs, updatedMs: nowMs };
    const agent: Agent = { tenantId, agentId, ...fields, ...known };
    await demandNoNamesake(tx, agent);
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
export function updateAgent(rt: Runtime, db: Database, request: OneAgentRequest, wish: AgentWish): Promise<Agent> {
  return withEvents(rt, db, async (tx, events) => {
    const before = await demandAgent(tx, request);
    const wanted: Agent = { ...before, ...wish, ...(wish.availability === undefined ? {} : { presenceUntilMs: null }) };
    demandOwnerFor(request.acting, wanted.role === before.role ? ownerOf(before) : [before.role, wanted.role]);
    if (before.role === 'owner' && wanted.role !== 'owner') await demandAnotherOwner(tx, before);
    await demandNoNamesake(tx, wanted);
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
 * Writes an agent that the caller holds, and tells when its availability is another one now. What is the same already
 * is no change.
 */
export async function saveChange(
  rt: Runtime,
  tx: SqlRunner,
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

/** Conversations that one transaction takes away from an agent that goes: each is an event. */
const FREE_AT_ONCE = 200;

/**
 * Removes an agent. Its conversations lose it first, each with an entry in its history, and wait for another one.
 * @throws ApiProblem not_found, precondition_failed, forbidden, conflict for the last owner
 */
export async function removeAgent(rt: Runtime, db: Database, request: OneAgentRequest): Promise<Agent> {
  // First nobody gives it more; then what it has goes, piece by piece, so that no transaction is long.
  await withEvents(rt, db, async (tx, events) => {
    const before = await demandRemovable(tx, request);
    await saveChange(rt, tx, events, { before, wanted: { ...before, availability: 'offline', presenceUntilMs: null } });
  });
  let removed: Agent | null = null;
  while (removed === null) {
    while (await withEvents(rt, db, (tx, events) => freeConversations(rt, tx, events, request))) {
      // The next piece.
    }
    removed = await removeIfFree(rt, db, request);
  }
  return removed;
}

/** Null when somebody has assigned it another conversation meanwhile: nothing is removed then. */
function removeIfFree(rt: Runtime, db: Database, request: OneAgentRequest): Promise<Agent | null> {
  return withEvents(rt, db, async (tx, events) => {
    const agent = await demandRemovable(tx, { ...request, versions: null });
    const { tenantId, agentId } = agent;
    // Who assigns holds the agent until the commit: with the agent in our hands, everything that it was given can be seen.
    if (await hasConversations(tx, tenantId, agentId)) return null;
    const nowMs = rt.clock.now();
    await deleteAgent(tx, agent, nowMs);
    const details = { name: agent.name, role: agent.role };
    await audit(rt, tx, { tenantId, origin: request.origin, action: 'agent.removed', targetId: agentId, details });
    events.add({ tenantId, type: 'agent.deleted', data: describeAgent({ ...agent, openCount: 0 }, nowMs) });
    return agent;
  });
}

/** Locks the conversations before the agent, as every change of a conversation does. @returns whether there may be more */
async function freeConversations(
  rt: Runtime,
  tx: SqlRunner,
  events: EventSink,
  { tenantId, agentId, origin }: OneAgentRequest,
): Promise<boolean> {
  const ids = await lockConversationsOf(tx, tenantId, agentId as AgentId, FREE_AT_ONCE);
  const actor = { kind: 'key', id: origin.keyId } as const;
  for (const conversationId of ids) {
    const change = { assigneeId: null };
    await updateConversation(rt, tx, events, { tenantId, conversationId, actor, cause: 'agent_removed', change });
  }
  return ids.length === FREE_AT_ONCE;
}

async function demandRemovable(tx: SqlRunner, request: OneAgentRequest): Promise<Agent> {
  const agent = await demandAgent(tx, request);
  demandOwnerFor(request.acting, ownerOf(agent));
  if (agent.role === 'owner') await demandAnotherOwner(tx, agent);
  return agent;
}

async function demandAgent(tx: SqlRunner, { tenantId, agentId, versions }: OneAgentRequest): Promise<Agent> {
  // Owners first: two who remove each other at once would both be the last but one.
  await lockOwners(tx, tenantId);
  const agent = await lockAgent(tx, tenantId, agentId);
  if (agent === null) throw new ApiProblem('not_found');
  demandVersion('agent', agent.version, versions);
  return agent;
}

function ownerOf({ role }: Agent): readonly AgentRole[] {
  return role === 'owner' ? ['owner'] : [];
}

/** An owner is made, changed and removed by owners, and by programs. */
function demandOwnerFor(acting: Agent | null, roles: readonly AgentRole[]): void {
  if (acting === null || !roles.includes('owner') || may(acting, 'owners:manage')) return;
  throw new ApiProblem('forbidden', { sentence: 'Only an owner can make, change or remove owners.' });
}

/** The refusal of removing the last owner. */
export const LAST_OWNER = 'This is the last owner: make another agent an owner first.';

async function demandAnotherOwner(tx: SqlRunner, { tenantId, agentId }: Agent): Promise<void> {
  const owners = await lockOwners(tx, tenantId);
  if (owners.every((id) => id === agentId)) throw new ApiProblem('conflict', { sentence: LAST_OWNER });
}

/** The refusal of an external id that another agent has. */
export const NAMESAKE = 'Another agent has this external_id already.';

async function demandNoNamesake(tx: SqlRunner, agent: Agent): Promise<void> {
  if (await hasNamesake(tx, agent)) throw new ApiProblem('conflict', { sentence: NAMESAKE });
}
