import type { AgentId, TenantId, UserId } from '#core/ids';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow } from '#database/rows';
import type { SsoConnection } from '#users/domain/sso';

type SsoConnectionRow = Omit<SsoConnection, 'secret' | 'only'> & {
  readonly secretSealed: string;
  readonly secretKeyId: string;
  readonly onlySso: boolean;
};

const FIELDS = `tenant_id, issuer, client_id, secret_sealed, secret_key_id, scopes, groups_claim, roles, default_role, allow_new,
  only_sso, break_glass_agent_id, created_ms, updated_ms`;

const CONNECTION_FIND = statement('sso_connection_find')`
select ${FIELDS} from sso_connections where tenant_id = $1`;
const CONNECTION_LOCK = statement('sso_connection_lock')`${CONNECTION_FIND.text} for update`;

function connectionOf({ secretSealed, secretKeyId, onlySso, ...row }: SsoConnectionRow): SsoConnection {
  return { ...row, only: onlySso, secret: { sealed: secretSealed, keyId: secretKeyId } };
}

export async function findSsoConnection(db: SqlRunner, tenantId: TenantId): Promise<SsoConnection | null> {
  return firstRow(db.run<SsoConnectionRow>(CONNECTION_FIND, [tenantId]), connectionOf);
}

export async function lockSsoConnection(tx: Transaction, tenantId: TenantId): Promise<SsoConnection | null> {
  return firstRow(tx.run<SsoConnectionRow>(CONNECTION_LOCK, [tenantId]), connectionOf);
}

const CONNECTION_SAVE = statement('sso_connection_save')`
insert into sso_connections (${FIELDS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
on conflict (tenant_id) do update set
  issuer = excluded.issuer, client_id = excluded.client_id, secret_sealed = excluded.secret_sealed,
  secret_key_id = excluded.secret_key_id, scopes = excluded.scopes, groups_claim = excluded.groups_claim,
  roles = excluded.roles, default_role = excluded.default_role, allow_new = excluded.allow_new,
  only_sso = excluded.only_sso, break_glass_agent_id = excluded.break_glass_agent_id, updated_ms = excluded.updated_ms`;

export async function saveSsoConnection(tx: Transaction, connection: SsoConnection): Promise<void> {
  const { tenantId, issuer, clientId, secret, scopes, groupsClaim, roles, defaultRole } = connection;
  const { allowNew, only, breakGlassAgentId, createdMs, updatedMs } = connection;
  const client = [tenantId, issuer, clientId, secret.sealed, secret.keyId, scopes, groupsClaim];
  const rules = [JSON.stringify(roles), defaultRole, allowNew, only, breakGlassAgentId];
  await tx.run(CONNECTION_SAVE, [...client, ...rules, createdMs, updatedMs]);
}

const CONNECTION_DELETE = statement('sso_connection_delete')`delete from sso_connections where tenant_id = $1`;

export async function deleteSsoConnection(tx: Transaction, tenantId: TenantId): Promise<void> {
  await tx.run(CONNECTION_DELETE, [tenantId]);
}

const CONNECTION_OTHERWISE_SEALED = statement('sso_connection_otherwise_sealed')`
select ${FIELDS} from sso_connections where secret_key_id <> $1 and tenant_id > $2::uuid order by tenant_id limit $3`;

/** Connections of all tenants whose secret another key encrypts, from one on; for the operator. */
export async function listOtherwiseSealedConnections(
  db: SqlRunner,
  keyId: string,
  { after, limit }: { readonly after: TenantId; readonly limit: number },
): Promise<readonly SsoConnection[]> {
  return (await db.run<SsoConnectionRow>(CONNECTION_OTHERWISE_SEALED, [keyId, after, limit])).rows.map(connectionOf);
}

const CONNECTION_SEAL_ANEW = statement('sso_connection_seal_anew')`
update sso_connections set secret_sealed = $2, secret_key_id = $3 where tenant_id = $1 and secret_sealed = $4`;

/** Puts the same secret there under another key; not when it was changed meanwhile. */
export async function sealConnectionAnew(
  db: SqlRunner,
  { tenantId, secret }: SsoConnection,
  fresh: SsoConnection['secret'],
): Promise<void> {
  await db.run(CONNECTION_SEAL_ANEW, [tenantId, fresh.sealed, fresh.keyId, secret.sealed]);
}

/** Whether the tenant of a person has single sign-on, and the person has used it. */
export interface OwnSso {
  /** Whether an identity at the provider of the connection is theirs. */
  readonly connected: boolean;
}

/** Issuers are written with and without a slash at the end. */
const OWN_SSO = statement('sso_of_user')`
select exists (
  select 1 from user_identities i
  where i.tenant_id = $1 and i.user_id = $2 and rtrim(i.issuer, '/') = rtrim(c.issuer, '/')) as connected
from sso_connections c where c.tenant_id = $1`;

/** Null: the tenant has no connection. */
export async function findOwnSso(db: SqlRunner, tenantId: TenantId, userId: UserId): Promise<OwnSso | null> {
  return firstRow(db.run<OwnSso>(OWN_SSO, [tenantId, userId]));
}

const IS_BREAK_GLASS = statement('sso_break_glass')`
select 1 from agents where tenant_id = $1 and agent_id = $2 and role = 'owner' and user_id is not null`;

/** Whether an agent is an owner whom a person is, so that somebody can always get in. */
export async function isOwnerInPerson(tx: Transaction, tenantId: TenantId, agentId: AgentId): Promise<boolean> {
  return (await tx.run(IS_BREAK_GLASS, [tenantId, agentId])).rows.length > 0;
}
