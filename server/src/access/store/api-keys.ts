import { refusalOf, type TenantCondition } from '#access/domain/tenant-state';
import type { TenantRefusal } from '#core/caller/principal';
import type { Scope } from '#core/caller/scopes';
import { type AgentId, isUuid, type KeyId, type TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { type Database, type SqlRunner, statement, type Transaction } from '#database/database';
import { type Find, firstRow, newestFirst, pageOf } from '#database/rows';

export interface ApiKey {
  readonly tenantId: TenantId;
  readonly keyId: KeyId;
  readonly name: string;
  readonly mode: 'live' | 'test';
  readonly hint: string;
  /** Empty: every scope. */
  readonly scopes: readonly string[];
  /** Requests per second; null: the configured default; 0: no limit. */
  readonly ratePerSecond: number | null;
  /** The agent that it acts for; null: none in particular. */
  readonly agentId: AgentId | null;
  /** Addresses and networks that it may be used from. Empty: any. */
  readonly allowedIps: readonly string[];
  /** The sending numbers that it is limited to. Empty: all of the tenant. */
  readonly phoneNumberIds: readonly string[];
  readonly createdMs: number;
  readonly expiresMs: number | null;
  readonly revokedMs: number | null;
  readonly lastUsedMs: number | null;
}

interface KeyRow extends ApiKey {
  readonly keyHash: string;
}

declare module '#database/schema' {
  interface Schema {
    api_keys: KeyRow;
  }
}

export type NewApiKey = Omit<KeyRow, 'revokedMs' | 'lastUsedMs'>;

const KEY_INSERT = statement('key_insert')`
insert into api_keys (
  tenant_id, key_id, name, mode, key_hash, hint, scopes, rate_per_second, created_ms, expires_ms, agent_id,
  allowed_ips, phone_number_ids)
values ($1, $2, $3, $4, $5, $6, $7::text[], $8, $9, $10, $11, $12::text[], $13::text[]) on conflict do nothing`;

/** @returns false when a key with this hash stands already (a bootstrap key that was made before) */
export async function insertApiKey(tx: Transaction, key: NewApiKey): Promise<boolean> {
  const { tenantId, keyId, name, mode, keyHash, hint, scopes, ratePerSecond, createdMs, expiresMs } = key;
  const values = [tenantId, keyId, name, mode, keyHash, hint, [...scopes], ratePerSecond, createdMs, expiresMs];
  const limits = [[...key.allowedIps], [...key.phoneNumberIds]];
  return (await tx.run(KEY_INSERT, [...values, key.agentId, ...limits])).rowCount > 0;
}

const FIND_BY_HASH = statement('key_find_by_hash')`
select k.tenant_id, k.key_id, k.key_hash, k.mode, k.scopes, k.rate_per_second, k.expires_ms, k.agent_id,
  k.allowed_ips, k.phone_number_ids, t.allowed_ips as tenant_allowed_ips, t.state, t.state_reason, t.fence
from api_keys k join tenants t on t.tenant_id = k.tenant_id
where k.key_hash = any($1::text[]) and k.revoked_ms is null and (k.expires_ms is null or k.expires_ms > $2)`;

export type UsableKey = Omit<KeyRow, 'name' | 'hint' | 'createdMs' | 'revokedMs' | 'lastUsedMs'> & {
  /** Addresses and networks that any key of the tenant may be used from. Empty: any. */
  readonly tenantAllowedIps: readonly string[];
  /** Why its tenant is refused everything; null: it is active. */
  readonly refusal: TenantRefusal | null;
};

/** The usable key with this hash: neither revoked nor expired. */
export async function findUsableKey(db: SqlRunner, keyHash: string, nowMs: number): Promise<UsableKey | null> {
  return (await findUsableKeys(db, [keyHash], nowMs))[0] ?? null;
}

/** The usable keys with these hashes, in any order. Before the tenants are known, hence over all tenants. */
export async function findUsableKeys(
  db: SqlRunner,
  keyHashes: readonly string[],
  nowMs: number,
): Promise<readonly UsableKey[]> {
  const { rows } = await db.run<UsableKeyRow>(FIND_BY_HASH, [keyHashes, nowMs]);
  return rows.map(({ state, stateReason, fence, ...key }) => ({
    ...key,
    refusal: refusalOf({ state, stateReason, fence }),
  }));
}

type UsableKeyRow = Omit<UsableKey, 'refusal'> & TenantCondition;

const KEY_ANY_FOREIGN = statement('key_any_foreign')`
select key_id from api_keys
where hint not like 'pr\\_live\\_%' and hint not like 'pr\\_test\\_%' and revoked_ms is null limit 1`;

/** Whether any tenant has a key that is not of our own form, which only the operator can have made. Over all tenants. */
export async function hasForeignKeys(db: SqlRunner): Promise<boolean> {
  return (await db.run(KEY_ANY_FOREIGN, [])).rowCount > 0;
}

const COUNT_USABLE = statement('key_count_usable')`
select count(*)::int as n from api_keys
where tenant_id = $1 and revoked_ms is null and (expires_ms is null or expires_ms > $2)`;

/** How many keys of a tenant work. */
export async function countUsableKeys(tx: Transaction, tenantId: TenantId, nowMs: number): Promise<number> {
  const { rows } = await tx.run<{ readonly n: number }>(COUNT_USABLE, [tenantId, nowMs]);
  return rows[0]?.n ?? 0;
}

const KEY_TOUCH = statement('key_touch')`
update api_keys set last_used_ms = greatest(last_used_ms, $3) where tenant_id = $1 and key_id = $2`;

export async function touchApiKey(db: SqlRunner, tenantId: TenantId, keyId: KeyId, nowMs: number): Promise<void> {
  await db.run(KEY_TOUCH, [tenantId, keyId, nowMs]);
}

/** All keys of a tenant, oldest first. */
export async function listApiKeys(db: Pick<Database, 'kysely'>, tenantId: TenantId): Promise<readonly ApiKey[]> {
  return (await selectKeys(db, tenantId).orderBy('keyId').execute()).map(toKey);
}

export interface KeyFilter {
  readonly mode?: 'live' | 'test';
}

/** A page of the keys of a tenant, newest first; ended ones too. */
export async function listApiKeysPage(
  db: Pick<Database, 'kysely'>,
  tenantId: TenantId,
  filter: KeyFilter,
  window: ListWindow,
): Promise<Page<ApiKey>> {
  const keys = selectKeys(db, tenantId);
  const query = filter.mode === undefined ? keys : keys.where('mode', '=', filter.mode);
  return pageOf((await newestFirst(query, 'keyId', window).execute()).map(toKey), window.limit);
}

function selectKeys(db: Pick<Database, 'kysely'>, tenantId: TenantId) {
  return db.kysely.selectFrom('api_keys').selectAll().where('tenantId', '=', tenantId);
}

function toKey({ keyHash: _secret, ...key }: KeyRow): ApiKey {
  return key;
}

const KEY_FIND = statement('key_find')`
select tenant_id, key_id, name, mode, hint, scopes, rate_per_second, agent_id, allowed_ips, phone_number_ids, created_ms, expires_ms, revoked_ms,
  last_used_ms
from api_keys where tenant_id = $1 and key_id = $2`;

export const findApiKey: Find<ApiKey> = async (db, tenantId, id) =>
  isUuid(id) ? firstRow(db.run<ApiKey>(KEY_FIND, [tenantId, id])) : null;

const LOCK_KEYS = statement('key_lock_tenant')`select tenant_id from tenants where tenant_id = $1 for update`;

/** Until the transaction ends nobody else changes keys of this tenant: what it has counted stays true. */
export async function lockKeysOf(tx: Transaction, tenantId: TenantId): Promise<void> {
  await tx.run(LOCK_KEYS, [tenantId]);
}

const OTHER_HOLDER = statement('key_other_holder')`
select key_id from api_keys
where tenant_id = $1 and key_id <> $2 and revoked_ms is null and (expires_ms is null or expires_ms > $3)
  and (cardinality(scopes) = 0 or $4::text = any(scopes)) and ($5 = 'test' or mode = 'live')
  and agent_id is null and cardinality(phone_number_ids) = 0
  and (expires_ms is null or expires_ms >= $6::bigint)
limit 1`;

/**
 * Whether another usable key of no agent, for all numbers, has `scope`, and lives at least as long; null: has all scopes. For a live key
 * only a live one counts: a test key cannot make live keys.
 */
export async function anotherKeyHas(
  tx: Transaction,
  scope: Scope | null,
  key: Pick<ApiKey, 'tenantId' | 'keyId' | 'mode' | 'expiresMs'>,
  nowMs: number,
): Promise<boolean> {
  const values = [key.tenantId, key.keyId, nowMs, scope, key.mode, key.expiresMs];
  return (await tx.run(OTHER_HOLDER, values)).rowCount > 0;
}

const KEY_END = statement('key_end')`
update api_keys set revoked_ms = $3::bigint, expires_ms = least(expires_ms, $4::bigint)
where tenant_id = $1 and key_id = $2 and revoked_ms is null`;

/**
 * Ends a key: revoked now, or, for the overlap of a rotation, at `expiresMs` at the latest; a sooner end stays.
 * @returns false when there is no such key, or it is revoked already
 */
export async function endApiKey(
  tx: Transaction,
  key: Pick<ApiKey, 'tenantId' | 'keyId' | 'revokedMs' | 'expiresMs'>,
): Promise<boolean> {
  return (await tx.run(KEY_END, [key.tenantId, key.keyId, key.revokedMs, key.expiresMs])).rowCount > 0;
}
