import type { SessionId, TenantId, UserId } from '#core/ids';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow } from '#database/rows';
import type { UserIdentity } from '#users/domain/sso';
import type { Session } from '#users/domain/user';

/** A sign-in that is under way at a provider. */
export interface SsoState {
  readonly tenantId: TenantId;
  readonly stateHash: string;
  /** Who connects the identity to what they are here; null: somebody signs in. */
  readonly userId: UserId | null;
  readonly returnTo: string;
  readonly expiresMs: number;
}

const STATE_INSERT = statement('sso_state_insert')`
insert into sso_states (tenant_id, state_hash, user_id, return_to, expires_ms) values ($1, $2, $3, $4, $5)`;

export async function insertSsoState(db: SqlRunner, state: SsoState): Promise<void> {
  const { tenantId, stateHash, userId, returnTo, expiresMs } = state;
  await db.run(STATE_INSERT, [tenantId, stateHash, userId, returnTo, expiresMs]);
}

const STATE_TAKE = statement('sso_state_take')`
delete from sso_states where tenant_id = $1 and state_hash = $2 and expires_ms > $3
returning tenant_id, state_hash, user_id, return_to, expires_ms`;

/** Uses a state up, also when the sign-in then fails. @returns null: there is no such state, or its time is over */
export async function takeSsoState(
  db: SqlRunner,
  { tenantId, stateHash }: Pick<SsoState, 'tenantId' | 'stateHash'>,
  nowMs: number,
): Promise<SsoState | null> {
  return firstRow(db.run<SsoState>(STATE_TAKE, [tenantId, stateHash, nowMs]));
}

type IdentityKey = Pick<UserIdentity, 'tenantId' | 'issuer' | 'subject'>;

const IDENTITY_FIND = statement('user_identity_find')`
select tenant_id, issuer, subject, user_id from user_identities where tenant_id = $1 and issuer = $2 and subject = $3`;

export async function findIdentity(
  db: SqlRunner,
  { tenantId, issuer, subject }: IdentityKey,
): Promise<UserIdentity | null> {
  return firstRow(db.run<UserIdentity>(IDENTITY_FIND, [tenantId, issuer, subject]));
}

/** Whoever is no agent of the tenant any more does not keep the identity. */
const IDENTITY_TAKE_OVER = statement('user_identity_take_over')`
update user_identities i set user_id = $4
where i.tenant_id = $1 and i.issuer = $2 and i.subject = $3 and i.user_id <> $4
  and not exists (select 1 from agents a where a.tenant_id = $1 and a.user_id = i.user_id)`;

const IDENTITY_SAVE = statement('user_identity_save')`
insert into user_identities as i (tenant_id, issuer, subject, user_id, created_ms, last_used_ms) values ($1, $2, $3, $4, $5, $5)
on conflict (tenant_id, issuer, subject) do update set last_used_ms = excluded.last_used_ms
where i.user_id = excluded.user_id`;

/** @returns false when the identity is that of somebody else who works in the tenant */
export async function saveIdentity(tx: Transaction, identity: UserIdentity, nowMs: number): Promise<boolean> {
  const { tenantId, issuer, subject, userId } = identity;
  await tx.run(IDENTITY_TAKE_OVER, [tenantId, issuer, subject, userId]);
  return (await tx.run(IDENTITY_SAVE, [tenantId, issuer, subject, userId, nowMs])).rowCount === 1;
}

const IDENTITY_ADD = statement('user_identity_add')`
insert into user_identities (tenant_id, issuer, subject, user_id, created_ms, last_used_ms) values ($1, $2, $3, $4, $5, $5)
on conflict (tenant_id, issuer, subject) do nothing`;

/** @returns false when the identity is known, whosever it is */
export async function addIdentity(tx: Transaction, identity: UserIdentity, nowMs: number): Promise<boolean> {
  const { tenantId, issuer, subject, userId } = identity;
  return (await tx.run(IDENTITY_ADD, [tenantId, issuer, subject, userId, nowMs])).rowCount === 1;
}

const SSO_SESSION_INSERT = statement('sso_session_insert')`
insert into sso_sessions (tenant_id, session_id, sid, created_ms) values ($1, $2, $3, $4)`;

/** Records that a session was begun by single sign-on. @param sid the provider's own session; null: it named none */
export async function insertSsoSession(
  tx: Transaction,
  { tenantId, sessionId, createdMs }: Session,
  sid: string | null,
): Promise<void> {
  await tx.run(SSO_SESSION_INSERT, [tenantId, sessionId, sid, createdMs]);
}

const IS_SSO_SESSION = statement('sso_session_find')`
select 1 from sso_sessions where tenant_id = $1 and session_id = $2`;

/** Whether a session was begun by single sign-on. */
export async function isSsoSession(db: SqlRunner, tenantId: TenantId, sessionId: SessionId): Promise<boolean> {
  return (await db.run(IS_SSO_SESSION, [tenantId, sessionId])).rows.length > 0;
}

const END_BY_PROVIDER = statement('sso_sessions_end')`
update sessions s set ended_ms = $2
where s.tenant_id = $1 and s.ended_ms is null and s.expires_ms > $2 and s.last_used_ms + s.idle_ms > $2
  and (
    s.user_id in (
      select i.user_id from user_identities i where i.tenant_id = $1 and i.issuer = $3 and i.subject = $4::text)
    or ($4::text is null and s.session_id in (
      select o.session_id from sso_sessions o where o.tenant_id = $1 and o.sid = $5::text)))
returning s.tenant_id, s.session_id, s.user_id, s.agent_id`;

/** Ends the sessions of a tenant that a provider says are over. @returns those that were open */
export async function endSessionsByProvider(
  tx: Transaction,
  tenantId: TenantId,
  { issuer, subject, sid }: { readonly issuer: string; readonly subject: string | null; readonly sid: string | null },
  nowMs: number,
): Promise<readonly Pick<Session, 'tenantId' | 'sessionId' | 'agentId'>[]> {
  return (await tx.run<Session>(END_BY_PROVIDER, [tenantId, nowMs, issuer, subject, sid])).rows;
}
