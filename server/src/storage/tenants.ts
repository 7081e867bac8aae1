import type { TenantId } from '#core/ids';
import type { Database } from './database.ts';

export interface Tenant {
  readonly tenantId: TenantId;
  readonly name: string;
  readonly onUnknown: 'resend' | 'fail';
  readonly windowPolicy: string;
  readonly createdMs: number;
}

export interface NewTenant {
  readonly tenantId: TenantId;
  readonly name: string;
  readonly onUnknown: 'resend' | 'fail';
  readonly createdMs: number;
}

export async function insertTenant(db: Pick<Database, 'kysely'>, tenant: NewTenant): Promise<void> {
  await db.kysely
    .insertInto('tenants')
    .values({
      tenant_id: tenant.tenantId,
      name: tenant.name,
      on_unknown: tenant.onUnknown,
      window_policy: 'network',
      created_ms: tenant.createdMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** All tenants, oldest first. For operators only. */
export async function listTenants(db: Pick<Database, 'kysely'>): Promise<readonly Tenant[]> {
  const rows = await db.kysely.selectFrom('tenants').selectAll().orderBy('tenant_id').execute();
  return rows.map((row) => ({
    tenantId: row.tenant_id as TenantId,
    name: row.name,
    onUnknown: row.on_unknown,
    windowPolicy: row.window_policy,
    createdMs: row.created_ms,
  }));
}

export async function findTenant(db: Pick<Database, 'kysely'>, tenantId: TenantId): Promise<Tenant | null> {
  return (await listTenants(db)).find((tenant) => tenant.tenantId === tenantId) ?? null;
}

/** A value kept for the life of the database (the echo secret); the first writer wins. */
export async function settingOnce(db: Pick<Database, 'kysely'>, name: string, value: string): Promise<string> {
  await db.kysely
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db.kysely.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirstOrThrow();
  return row.value;
}
