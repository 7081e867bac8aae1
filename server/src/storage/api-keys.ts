import type { KeyId, TenantId } from '#core/ids';
import type { Database, SqlRunner, Statement } from './database.ts';

export interface ApiKey {
  readonly tenantId: TenantId;
  readonly keyId: KeyId;
  readonly name: string;
  readonly mode: 'live' | 'test';
  readonly hint: string;
  readonly scopes: readonly string[];
  readonly createdMs: number;
  readonly expiresMs: number | null;
  readonly revokedMs: number | null;
  readonly lastUsedMs: number | null;
}

export interface NewApiKey extends Omit<ApiKey, 'revokedMs' | 'lastUsedMs'> {
  readonly keyHash: string;
}

/** @returns false when a key with this hash stands already (a bootstrap key that was made before) */
export async function insertApiKey(db: Pick<Database, 'kysely'>, key: NewApiKey): Promise<boolean> {
  const result = await db.kysely
    .insertInto('api_keys')
    .values({
      tenant_id: key.tenantId,
      key_id: key.keyId,
      name: key.name,
      mode: key.mode,
      key_hash: key.keyHash,
      hint: key.hint,
      scopes: [...key.scopes],
      created_ms: key.createdMs,
      expires_ms: key.expiresMs,
      revoked_ms: null,
      last_used_ms: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

const FIND_BY_HASH: Statement = {
  name: 'key_find_by_hash',
  text: `
select tenant_id, key_id, key_hash, mode, scopes, expires_ms from api_keys
where key_hash = $1 and revoked_ms is null and (expires_ms is null or expires_ms > $2)`,
};

export interface UsableKey {
  readonly tenantId: TenantId;
  readonly keyId: KeyId;
  readonly keyHash: string;
  readonly mode: 'live' | 'test';
  readonly scopes: readonly string[];
  readonly expiresMs: number | null;
}

/** The usable key with this hash: neither revoked nor expired. Before the tenant is known, hence over all tenants. */
export async function findUsableKey(db: SqlRunner, keyHash: string, nowMs: number): Promise<UsableKey | null> {
  const { rows } = await db.run<{
    tenant_id: TenantId;
    key_id: KeyId;
    key_hash: string;
    mode: 'live' | 'test';
    scopes: string[];
    expires_ms: number | null;
  }>(FIND_BY_HASH, [keyHash, nowMs]);
  const row = rows[0];
  if (!row) return null;
  const { tenant_id: tenantId, key_id: keyId, key_hash, mode, scopes, expires_ms } = row;
  return { tenantId, keyId, keyHash: key_hash, mode, scopes, expiresMs: expires_ms };
}

const TOUCH: Statement = {
  name: 'key_touch',
  text: 'update api_keys set last_used_ms = greatest(last_used_ms, $3) where tenant_id = $1 and key_id = $2',
};

export async function touchApiKey(db: SqlRunner, tenantId: TenantId, keyId: KeyId, nowMs: number): Promise<void> {
  await db.run(TOUCH, [tenantId, keyId, nowMs]);
}

export async function listApiKeys(db: Pick<Database, 'kysely'>, tenantId: TenantId): Promise<readonly ApiKey[]> {
  const rows = await db.kysely
    .selectFrom('api_keys')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('key_id')
    .execute();
  return rows.map((row) => ({
    tenantId: row.tenant_id as TenantId,
    keyId: row.key_id as KeyId,
    name: row.name,
    mode: row.mode,
    hint: row.hint,
    scopes: row.scopes,
    createdMs: row.created_ms,
    expiresMs: row.expires_ms,
    revokedMs: row.revoked_ms,
    lastUsedMs: row.last_used_ms,
  }));
}

/** Ends a key at `atMs`: now for a revocation, later for the overlap of a rotation. @returns false when there is no such live key */
export async function endApiKey(
  db: Pick<Database, 'kysely'>,
  key: {
    readonly tenantId: TenantId;
    readonly keyId: KeyId;
    readonly nowMs: number;
    readonly expiresMs: number | null;
  },
): Promise<boolean> {
  const change = key.expiresMs === null ? { revoked_ms: key.nowMs } : { expires_ms: key.expiresMs };
  const result = await db.kysely
    .updateTable('api_keys')
    .set(change)
    .where('tenant_id', '=', key.tenantId)
    .where('key_id', '=', key.keyId)
    .where('revoked_ms', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
