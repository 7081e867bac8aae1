import { isUuid, type TenantId } from '#core/ids';
import type { Database, SqlRunner, Statement } from './database.ts';
import type { Schema } from './schema.ts';

export type WindowPolicy = 'network' | 'refuse';

export interface Tenant {
  readonly tenantId: TenantId;
  readonly name: string;
  readonly onUnknown: 'resend' | 'fail';
  /** What becomes of a free-form message outside the 24-hour window. */
  readonly windowPolicy: WindowPolicy;
  readonly createdMs: number;
}

export interface NewTenant {
  readonly tenantId: TenantId;
  readonly name: string;
  readonly onUnknown: 'resend' | 'fail';
  readonly windowPolicy: WindowPolicy;
  readonly createdMs: number;
}

const INSERT: Statement = {
  name: 'tenant_insert',
  text: 'insert into tenants (tenant_id, name, on_unknown, window_policy, created_ms) values ($1, $2, $3, $4, $5)',
};

export async function insertTenant(tx: SqlRunner, tenant: NewTenant): Promise<void> {
  const { tenantId, name, onUnknown, windowPolicy, createdMs } = tenant;
  await tx.run(INSERT, [tenantId, name, onUnknown, windowPolicy, createdMs]);
}

/** All tenants, oldest first. For operators only. */
export async function listTenants(db: Pick<Database, 'kysely'>): Promise<readonly Tenant[]> {
  return (await db.kysely.selectFrom('tenants').selectAll().orderBy('tenant_id').execute()).map(toTenant);
}

export async function findTenant(db: Pick<Database, 'kysely'>, tenantId: TenantId): Promise<Tenant | null> {
  if (!isUuid(tenantId)) return null;
  const row = await db.kysely.selectFrom('tenants').selectAll().where('tenant_id', '=', tenantId).executeTakeFirst();
  return row ? toTenant(row) : null;
}

function toTenant(row: Schema['tenants']): Tenant {
  return {
    tenantId: row.tenant_id as TenantId,
    name: row.name,
    onUnknown: row.on_unknown,
    windowPolicy: row.window_policy,
    createdMs: row.created_ms,
  };
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
