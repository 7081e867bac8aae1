import type { Agent } from '#agents/domain/agent';
import type { AgentRole } from '#core/caller/permissions';
import type { AgentId, TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { type Find, firstRow, type Lock, pageOf } from '#database/rows';

/** What of a row is the agent. */
const AGENT = `
  a.*, array(select m.team_id from team_members m where m.tenant_id = a.tenant_id and m.agent_id = a.agent_id order by m.team_id)
    as team_ids`;

const AGENT_FIND = statement('agent_find')`
select ${AGENT} from agents a where a.tenant_id = $1 and a.agent_id = $2`;
const AGENT_LOCK = statement('agent_lock')`${AGENT_FIND.text} for update of a`;

export const findAgent: Find<Agent> = (db, ...key) => firstRow(db.run<Agent>(AGENT_FIND, key));
export const lockAgent: Lock<Agent> = (tx, ...key) => firstRow(tx.run<Agent>(AGENT_LOCK, key));

export interface AgentFilter {
  readonly role?: AgentRole;
  readonly teamId?: string;
  readonly externalId?: string;
}

const AGENT_PAGE = statement('agent_page')`
select ${AGENT} from agents a
where a.tenant_id = $1 and ($2::text is null or a.role = $2::text) and ($3::text is null or a.external_id = $3::text)
  and ($4::uuid is null or exists (
    select 1 from team_members m where m.tenant_id = $1 and m.team_id = $4::uuid and m.agent_id = a.agent_id))
  and ($5::uuid is null or a.agent_id < $5::uuid)
order by a.agent_id desc
limit $6 offset $7`;

/** A page of the agents of a tenant, newest first. */
export async function listAgentsPage(
  db: SqlRunner,
  tenantId: TenantId,
  { role, teamId, externalId }: AgentFilter,
  { limit, offset, beforeId }: ListWindow,
): Promise<Page<Agent>> {
  const values = [tenantId, role ?? null, externalId ?? null, teamId ?? null, beforeId, limit + 1, offset];
  return pageOf((await db.run<Agent>(AGENT_PAGE, values)).rows, limit);
}

const AGENT_INSERT = statement('agent_insert')`
insert into agents (
  tenant_id, agent_id, name, email, role, availability, presence_until_ms, max_open, skills, external_id, version,
  created_ms, updated_ms)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9::text[], $10, $11, $12, $13) on conflict do nothing`;
const AGENT_SAVE = statement('agent_save')`
update agents set
  name = $3, email = $4, role = $5, availability = $6, presence_until_ms = $7, max_open = $8, skills = $9::text[],
  external_id = $10, version = $11, created_ms = $12, updated_ms = $13
where tenant_id = $1 and agent_id = $2`;

function valuesOf(agent: Agent): readonly unknown[] {
  const { tenantId, agentId, name, email, role, availability, presenceUntilMs, maxOpen, skills } = agent;
  const said = [name, email, role, availability, presenceUntilMs, maxOpen, skills, agent.externalId];
  return [tenantId, agentId, ...said, agent.version, agent.createdMs, agent.updatedMs];
}

/** @returns false when another agent of the tenant has the external id */
export async function insertAgent(db: SqlRunner, agent: Agent): Promise<boolean> {
  return (await db.run(AGENT_INSERT, valuesOf(agent))).rowCount > 0;
}

/** Writes all but what counts by itself: the open conversations and the teams. The caller holds the lock. */
export async function saveAgent(tx: Transaction, agent: Agent): Promise<void> {
  await tx.run(AGENT_SAVE, valuesOf(agent));
}

const NAMESAKE = statement('agent_namesake')`
select agent_id from agents where tenant_id = $1 and agent_id <> $2 and external_id = $3::text limit 1`;

/** Whether another agent of the tenant has the external id. */
export async function hasNamesake(
  tx: Transaction,
  { tenantId, agentId, externalId }: Pick<Agent, 'tenantId' | 'agentId' | 'externalId'>,
): Promise<boolean> {
  return externalId !== null && (await tx.run(NAMESAKE, [tenantId, agentId, externalId])).rowCount > 0;
}

const LOCK_OWNERS = statement('agent_lock_owners')`
select agent_id from agents where tenant_id = $1 and role = 'owner' order by agent_id for update`;

/** The owners of a tenant; nobody else makes one fewer until the transaction ends. */
export async function lockOwners(tx: Transaction, tenantId: TenantId): Promise<readonly AgentId[]> {
  return (await tx.run<{ agentId: AgentId }>(LOCK_OWNERS, [tenantId])).rows.map((row) => row.agentId);
}

const DELETE_MEMBERSHIPS = statement('agent_delete_memberships')`
delete from team_members where tenant_id = $1 and agent_id = $2`;
const END_KEYS = statement('agent_end_keys')`
update api_keys set revoked_ms = $3 where tenant_id = $1 and agent_id = $2 and revoked_ms is null returning key_id`;
const AGENT_DELETE = statement('agent_delete')`delete from agents where tenant_id = $1 and agent_id = $2`;

/** Removes an agent and its memberships, and ends the keys that act for it. The caller has freed its conversations. */
export async function deleteAgent(
  tx: Transaction,
  { tenantId, agentId }: Pick<Agent, 'tenantId' | 'agentId'>,
  nowMs: number,
): Promise<void> {
  await tx.run(DELETE_MEMBERSHIPS, [tenantId, agentId]);
  await tx.run(END_KEYS, [tenantId, agentId, nowMs]);
  await tx.run(AGENT_DELETE, [tenantId, agentId]);
}

const AGENT_RESERVE = statement('agent_reserve')`
select agent_id from agents where tenant_id = $1 and agent_id = $2 for no key update`;

/**
 * Whether there is this agent; until the transaction ends nobody else changes it. For a transaction that counts its conversations
 * after it has taken numbers of events: from then on it must not wait.
 */
export async function reserveAgent(tx: Transaction, tenantId: TenantId, agentId: AgentId): Promise<boolean> {
  return (await tx.run(AGENT_RESERVE, [tenantId, agentId])).rowCount > 0;
}

const AGENT_HOLD = statement('agent_hold')`
select agent_id from agents where tenant_id = $1 and agent_id = $2 for key share`;

/** Whether there is this agent; until the transaction ends it can be changed, but not removed. */
export async function holdAgent(tx: Transaction, tenantId: TenantId, agentId: AgentId): Promise<boolean> {
  return (await tx.run(AGENT_HOLD, [tenantId, agentId])).rowCount > 0;
}

const AGENT_HAS_CONVERSATIONS = statement('agent_has_conversations')`
select 1 from conversations where tenant_id = $1 and assignee_id = $2 and status <> 'resolved' limit 1`;

/** Whether an agent has conversations that are not resolved. */
export async function hasConversations(tx: Transaction, tenantId: TenantId, agentId: AgentId): Promise<boolean> {
  return (await tx.run(AGENT_HAS_CONVERSATIONS, [tenantId, agentId])).rowCount > 0;
}

const LOCK_CONVERSATIONS = statement('agent_lock_conversations')`
select conversation_id from conversations
where tenant_id = $1 and assignee_id = $2 and status <> 'resolved'
order by conversation_id limit $3 for update`;

/** Conversations of an agent that are not resolved, held until the transaction ends. At most `limit` of them. */
export async function lockConversationsOfAgent(
  tx: Transaction,
  tenantId: TenantId,
  agentId: AgentId,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await tx.run<{ conversationId: string }>(LOCK_CONVERSATIONS, [tenantId, agentId, limit]);
  return rows.map((row) => row.conversationId);
}

const AGENT_EXPIRED = statement('agent_expired')`
select ${AGENT} from agents a
where a.availability <> 'offline' and a.presence_until_ms <= $1
order by a.tenant_id, a.agent_id limit $2 for update of a skip locked`;

const ANY_EXPIRED = statement('agent_any_expired')`
select tenant_id from agents where availability <> 'offline' and presence_until_ms <= $1 limit 1`;

/** Whether the last sign of life of any agent is too old: nearly always not, and then there is no transaction to open. */
export async function isAnyExpired(db: SqlRunner, nowMs: number): Promise<boolean> {
  return (await db.run(ANY_EXPIRED, [nowMs])).rowCount > 0;
}

/**
 * Agents whose last sign of life is too old, held until the transaction ends; another process takes others meanwhile.
 * Spans all tenants: one loop looks after all of them.
 */
export async function lockExpiredAgents(tx: Transaction, nowMs: number, limit: number): Promise<readonly Agent[]> {
  return (await tx.run<Agent>(AGENT_EXPIRED, [nowMs, limit])).rows;
}

const AGENT_MISSING = statement('agent_missing')`
select t.agent_id from unnest($2::uuid[]) as t (agent_id)
where not exists (select 1 from agents a where a.tenant_id = $1 and a.agent_id = t.agent_id)`;

/** Which of these are not agents of the tenant. */
export async function findMissingAgents(
  db: SqlRunner,
  tenantId: TenantId,
  agentIds: readonly string[],
): Promise<readonly string[]> {
  return (await db.run<{ agentId: string }>(AGENT_MISSING, [tenantId, [...agentIds]])).rows.map((row) => row.agentId);
}

const ADD_OPEN = statement('agent_add_open')`
update agents set open_count = greatest(0, open_count + $3)
where tenant_id = $1 and agent_id = $2`;

/** Counts conversations that an agent got or lost, whatever the capacity. */
export async function addOpen(tx: Transaction, tenantId: TenantId, agentId: AgentId, amount: 1 | -1): Promise<void> {
  await tx.run(ADD_OPEN, [tenantId, agentId, amount]);
}

const TAKE_SEAT = statement('agent_take_seat')`
update agents set open_count = open_count + 1
where tenant_id = $1 and agent_id = (
  select a.agent_id from agents a
  where a.tenant_id = $1 and a.agent_id = $2 and a.open_count < a.max_open
    and a.availability = 'online' and (a.presence_until_ms is null or a.presence_until_ms > $3)
  for update skip locked)`;

/**
 * Takes a place in the capacity of an agent, if there is one and the agent is online: what was read before may be old.
 * Whom another transaction holds is passed over: teams that share agents would wait for each other in a circle.
 * @returns false when not; nothing is taken then
 */
export async function takeCapacity(
  db: SqlRunner,
  tenantId: TenantId,
  agentId: AgentId,
  nowMs: number,
): Promise<boolean> {
  return (await db.run(TAKE_SEAT, [tenantId, agentId, nowMs])).rowCount > 0;
}
