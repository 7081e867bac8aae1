import type { AgentId, TenantId, UserId } from '#core/ids';
import type { JsonObject } from '#core/json';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow } from '#database/rows';
import type { Membership, User } from '#users/domain/user';

const USER_INSERT = statement('user_insert')`
insert into users (user_id, name, email, preferences, created_ms, updated_ms) values ($1, $2, $3, $4, $5, $6) on conflict do nothing`;

/** @returns whether the person was added; false: another one has the email address */
export async function insertUser(tx: Transaction, user: Omit<User, 'emailConfirmedMs'>): Promise<boolean> {
  const { userId, name, email, preferences, createdMs, updatedMs } = user;
  const values = [userId, name, email, JSON.stringify(preferences), createdMs, updatedMs];
  return (await tx.run(USER_INSERT, values)).rowCount === 1;
}

const USER_FIND = statement('user_find')`
select user_id, name, email, email_confirmed_ms, preferences, created_ms, updated_ms from users where user_id = $1`;

export async function findUser(db: SqlRunner, userId: UserId): Promise<User | null> {
  return firstRow(db.run<User>(USER_FIND, [userId]));
}

const USER_LOCK = statement('user_lock')`select 1 from users where user_id = $1 for update`;

/** Makes changes to what a person has wait for each other. */
export async function lockUser(tx: Transaction, userId: UserId): Promise<void> {
  await tx.run(USER_LOCK, [userId]);
}

const USER_CHANGE = statement('user_change')`
update users set name = coalesce($2, name), preferences = coalesce($3::jsonb, preferences), updated_ms = $4
where user_id = $1`;

/** What a person changes of themselves; what is left out stays. */
export interface UserInput {
  readonly name?: string;
  readonly preferences?: JsonObject;
}

export async function changeUser(db: SqlRunner, userId: UserId, input: UserInput, nowMs: number): Promise<void> {
  const preferences = input.preferences === undefined ? null : JSON.stringify(input.preferences);
  await db.run(USER_CHANGE, [userId, input.name ?? null, preferences, nowMs]);
}

const EMAIL_SET = statement('user_email_set')`
update users set email = $2, updated_ms = $3,
  email_confirmed_ms = case when email = $2 then email_confirmed_ms end, email_token_hash = null, email_token_expires_ms = null
where user_id = $1 and not exists (select 1 from users o where lower(o.email) = lower($2) and o.user_id <> $1)`;

/** A new address is not confirmed. @returns whether it was set; false: another person has the address */
export async function setEmail(tx: Transaction, userId: UserId, email: string, nowMs: number): Promise<boolean> {
  return (await tx.run(EMAIL_SET, [userId, email, nowMs])).rowCount === 1;
}

const MEMBERSHIPS = statement('user_memberships')`
select a.tenant_id, t.name as tenant_name, a.agent_id, a.name as agent_name, a.role,
  coalesce(c.only_sso and case when b.agent_id is null then a.role <> 'owner' else a.agent_id <> b.agent_id end, false)
    as needs_sso
from agents a join tenants t on t.tenant_id = a.tenant_id
left join sso_connections c on c.tenant_id = a.tenant_id
left join agents b on b.tenant_id = c.tenant_id and b.agent_id = c.break_glass_agent_id and b.role = 'owner'
  and b.user_id is not null
where a.user_id = $1 and t.state = 'active'
order by needs_sso, a.created_ms, a.agent_id`;

/**
 * The active tenants in which a person works, the first one first; those that ask for single sign-on last. If the owner who
 * may always get in is gone, every owner may. Over all tenants, since a person can work in
 * several.
 */
export async function listMemberships(db: SqlRunner, userId: UserId): Promise<readonly Membership[]> {
  return (await db.run<Membership>(MEMBERSHIPS, [userId])).rows;
}

const FIND_OWNER = statement('user_find_owner')`
select user_id from agents where tenant_id = $1 and role = 'owner' and user_id is not null order by agent_id limit 1`;

/** The person who has owned a tenant for longest; null: none of its owners is a person who can sign in. */
export async function findOwnerOf(db: SqlRunner, tenantId: TenantId): Promise<UserId | null> {
  return (await db.run<{ userId: UserId }>(FIND_OWNER, [tenantId])).rows[0]?.userId ?? null;
}

const WORKS_IN = statement('user_works_in')`
select exists (select 1 from agents where tenant_id = $1 and user_id = $2) as works`;

/** Whether a person is an agent of a tenant. */
export async function worksIn(db: SqlRunner, tenantId: TenantId, userId: UserId): Promise<boolean> {
  return (await db.run<{ works: boolean }>(WORKS_IN, [tenantId, userId])).rows[0]?.works === true;
}

const WORKS_ELSEWHERE = statement('user_works_elsewhere')`
select exists (select 1 from agents where tenant_id <> $1 and user_id = $2) as works`;

/** Whether a person is an agent of another tenant too. */
export async function worksElsewhere(db: SqlRunner, tenantId: TenantId, userId: UserId): Promise<boolean> {
  return (await db.run<{ works: boolean }>(WORKS_ELSEWHERE, [tenantId, userId])).rows[0]?.works === true;
}

const LINK_AGENT = statement('user_link_agent')`update agents set user_id = $3 where tenant_id = $1 and agent_id = $2`;

/** Makes an agent that of a person. */
export async function linkAgent(tx: Transaction, tenantId: TenantId, agentId: AgentId, userId: UserId): Promise<void> {
  await tx.run(LINK_AGENT, [tenantId, agentId, userId]);
}

/** A person of a tenant, with how many sessions are open there. */
export interface TenantUser extends Pick<User, 'userId' | 'name' | 'email'>, Pick<Membership, 'agentId' | 'role'> {
  readonly sessions: number;
  readonly lastUsedMs: number | null;
}

const USERS_OF_TENANT = statement('user_list')`
select u.user_id, u.name, u.email, a.agent_id, a.role, s.sessions, s.last_used_ms
from agents a join users u on u.user_id = a.user_id
cross join lateral (
  select count(*) filter (where o.ended_ms is null and o.expires_ms > $2 and o.last_used_ms + o.idle_ms > $2)::int as sessions,
    max(o.last_used_ms) as last_used_ms
  from sessions o where o.tenant_id = a.tenant_id and o.user_id = a.user_id
) s
where a.tenant_id = $1
order by a.agent_id`;

/** The people of a tenant, those who came first first. */
export async function listUsersOf(db: SqlRunner, tenantId: TenantId, nowMs: number): Promise<readonly TenantUser[]> {
  return (await db.run<TenantUser>(USERS_OF_TENANT, [tenantId, nowMs])).rows;
}

const USER_OF_AGENT = statement('user_of_agent')`
select user_id from agents where tenant_id = $1 and agent_id = $2 and user_id is not null`;

/** The person that an agent is; null: none yet. */
export async function findUserOfAgent(db: SqlRunner, tenantId: TenantId, agentId: AgentId): Promise<UserId | null> {
  return (await db.run<{ userId: UserId }>(USER_OF_AGENT, [tenantId, agentId])).rows[0]?.userId ?? null;
}
