import type { TenantId } from '#core/ids';
import type { OwnRetention } from '#core/retention';
import { type SqlRunner, statement, type Transaction } from '#database/database';

interface RetentionRow {
  readonly retention: OwnRetention;
}

const RETENTION_FIND = statement('tenant_retention_find')`select retention from tenants where tenant_id = $1`;

/** What a tenant chose itself. */
export async function findOwnRetention(db: SqlRunner, tenantId: TenantId): Promise<OwnRetention> {
  return (await db.run<RetentionRow>(RETENTION_FIND, [tenantId])).rows[0]?.retention ?? {};
}

const RETENTION_LOCK = statement('tenant_retention_lock')`
select retention from tenants where tenant_id = $1 for update`;

/** The same, unchanged by others until the transaction ends. */
export async function lockOwnRetention(tx: Transaction, tenantId: TenantId): Promise<OwnRetention> {
  return (await tx.run<RetentionRow>(RETENTION_LOCK, [tenantId])).rows[0]?.retention ?? {};
}

const RETENTION_SET = statement('tenant_retention_set')`update tenants set retention = $2::jsonb where tenant_id = $1`;

export async function saveOwnRetention(tx: Transaction, tenantId: TenantId, own: OwnRetention): Promise<void> {
  await tx.run(RETENTION_SET, [tenantId, JSON.stringify(own)]);
}

const RETENTION_LIST = statement('tenant_retention_list')`
select tenant_id, retention from tenants where retention <> '{}' and state <> 'deleting' order by tenant_id`;

/** A tenant that chose something itself. */
export interface RetainingTenant extends RetentionRow {
  readonly tenantId: TenantId;
}

/** Spans tenants: housekeeping. Those that are being deleted are left out. */
export async function listRetainingTenants(db: SqlRunner): Promise<readonly RetainingTenant[]> {
  return (await db.run<RetainingTenant>(RETENTION_LIST, [])).rows;
}
