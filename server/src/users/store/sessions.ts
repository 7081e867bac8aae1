import { refusalOf, type TenantCondition } from '#access/domain/tenant-state';
import type { TenantRefusal } from '#core/caller/principal';
import type { SessionId, TenantId, UserId } from '#core/ids';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow } from '#database/rows';
import type { Session } from '#users/domain/user';

/** A session with the hash of its token. */
export interface NewSession extends Session {
  readonly sessionHash: string;
}

const SESSION_INSERT = statement('session_insert')`
insert into sessions (
  tenant_id, session_id, session_hash, user_id, agent_id, created_ms, signed_in_ms, last_used_ms, idle_ms, expires_ms,
  user_agent, address)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

export async function insertSession(tx: Transaction, session: NewSession): Promise<void> {
  const { tenantId, sessionId, sessionHash, userId, agentId, createdMs, signedInMs } = session;
  const { lastUsedMs, idleMs, expiresMs, userAgent, address } = session;
  const ids = [tenantId, sessionId, sessionHash, userId, agentId];
  await tx.run(SESSION_INSERT, [...ids, createdMs, signedInMs, lastUsedMs, idleMs, expiresMs, userAgent, address]);
}

const SESSION_FIELDS = `
  s.tenant_id, s.session_id, s.user_id, s.agent_id, s.created_ms, s.signed_in_ms, s.last_used_ms, s.idle_ms, s.expires_ms,
  s.user_agent, s.address`;
/** At $2 it has not ended. */
const IS_OPEN = 's.ended_ms is null and s.expires_ms > $2 and s.last_used_ms + s.idle_ms > $2';

/** The agent may be gone, or another person's. */
const FIND_BY_HASH = statement('session_find_by_hash')`
select s.session_hash, ${SESSION_FIELDS}, t.allowed_ips as tenant_allowed_ips, t.state, t.state_reason, t.fence
from sessions s
join tenants t on t.tenant_id = s.tenant_id
join agents a on a.tenant_id = s.tenant_id and a.agent_id = s.agent_id and a.user_id = s.user_id
where s.session_hash = any($1::text[]) and ${IS_OPEN}`;

export interface UsableSession extends NewSession {
  /** Addresses and networks that the tenant may be reached from. Empty: any. */
  readonly tenantAllowedIps: readonly string[];
  /** Why the tenant is refused everything; null: it is active. */
  readonly refusal: TenantRefusal | null;
}

type UsableSessionRow = Omit<UsableSession, 'refusal'> & TenantCondition;

/** The open sessions with these hashes, in any order. Before the tenants are known, hence over all tenants. */
export async function findUsableSessions(
  db: SqlRunner,
  hashes: readonly string[],
  nowMs: number,
): Promise<readonly UsableSession[]> {
  const { rows } = await db.run<UsableSessionRow>(FIND_BY_HASH, [hashes, nowMs]);
  return rows.map(({ state, stateReason, fence, ...session }) => {
    return { ...session, refusal: refusalOf({ state, stateReason, fence }) };
  });
}

const SESSION_TOUCH = statement('session_touch')`
update sessions set last_used_ms = greatest(last_used_ms, $3) where tenant_id = $1 and session_id = $2`;

export async function touchSession(
  db: SqlRunner,
  tenantId: TenantId,
  sessionId: SessionId,
  nowMs: number,
): Promise<void> {
  await db.run(SESSION_TOUCH, [tenantId, sessionId, nowMs]);
}

const SESSIONS_OF_USER = statement('session_list')`
select ${SESSION_FIELDS} from sessions s where s.user_id = $1 and ${IS_OPEN} order by s.session_id desc limit 100`;

/** The open sessions of a person in all their tenants, the newest first; at most 100. */
export async function listSessions(db: SqlRunner, userId: UserId, nowMs: number): Promise<readonly Session[]> {
  return (await db.run<Session>(SESSIONS_OF_USER, [userId, nowMs])).rows;
}

const SESSION_END = statement('session_end')`
update sessions s set ended_ms = $2 where s.user_id = $1 and s.session_id = $3 and ${IS_OPEN}
returning ${SESSION_FIELDS}`;

/** Ends a session of a person. @returns null when the person has no such session that is open */
export async function endSession(
  tx: Transaction,
  userId: UserId,
  sessionId: string,
  nowMs: number,
): Promise<Session | null> {
  return firstRow(tx.run<Session>(SESSION_END, [userId, nowMs, sessionId]));
}

const SESSION_FIND = statement('session_find')`
select ${SESSION_FIELDS} from sessions s where s.tenant_id = $1 and s.session_id = $2 and s.ended_ms is null`;

/** A session that nobody has ended. */
export async function findSession(db: SqlRunner, tenantId: TenantId, sessionId: SessionId): Promise<Session | null> {
  return firstRow(db.run<Session>(SESSION_FIND, [tenantId, sessionId]));
}

const SESSIONS_END = statement('sessions_end')`
update sessions s set ended_ms = $2 where s.user_id = $1 and ($3::uuid is null or s.session_id <> $3::uuid) and ${IS_OPEN}
returning ${SESSION_FIELDS}`;

/** Ends the sessions of a person in all tenants, but for one. @returns those that were open */
export async function endAllSessions(
  tx: Transaction,
  userId: UserId,
  { nowMs, but }: { readonly nowMs: number; readonly but: string | null },
): Promise<readonly Session[]> {
  return (await tx.run<Session>(SESSIONS_END, [userId, nowMs, but])).rows;
}
