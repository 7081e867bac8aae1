import type { AttributeType } from '#contacts/domain/contact-attribute';
import type { AttributeId, TenantId } from '#core/ids';
import type { ListWindow, Page } from '#core/paging';
import { type Database, type SqlRunner, statement, type Transaction } from '#database/database';
import { newestFirst, pageOf } from '#database/rows';

/** What a tenant keeps of its contacts beyond what every contact has. */
export interface AttributeDefinition {
  readonly attributeId: AttributeId;
  /** Its name in `attributes`. */
  readonly key: string;
  readonly type: AttributeType;
  /** What people call it. */
  readonly label: string;
  readonly version: number;
  readonly createdMs: number;
}

const TYPES = statement('contact_attribute_types')`select key, type from contact_attributes where tenant_id = $1`;

export async function findAttributeTypes(
  db: SqlRunner,
  tenantId: TenantId,
): Promise<ReadonlyMap<string, AttributeType>> {
  const { rows } = await db.run<{ key: string; type: AttributeType }>(TYPES, [tenantId]);
  return new Map(rows.map((row) => [row.key, row.type]));
}

const CONTACT_ATTRIBUTE_ADD = statement('contact_attribute_add')`
insert into contact_attributes (tenant_id, attribute_id, key, type, label, created_ms)
select $1, $2, $3, $4, $5, $6 where (select count(*) from contact_attributes where tenant_id = $1) < $7
on conflict do nothing`;

/** @returns false when there is one with this key, or there are `limit` of them */
export async function addAttribute(
  tx: Transaction,
  tenantId: TenantId,
  added: AttributeDefinition,
  limit: number,
): Promise<boolean> {
  const { attributeId, key, type, label, createdMs } = added;
  return (
    (await tx.run(CONTACT_ATTRIBUTE_ADD, [tenantId, attributeId, key, type, label, createdMs, limit])).rowCount > 0
  );
}

/** Newest first. */
export async function listAttributes(
  db: Pick<Database, 'kysely'>,
  tenantId: TenantId,
  window: ListWindow,
): Promise<Page<AttributeDefinition>> {
  const query = db.kysely.selectFrom('contact_attributes').selectAll().where('tenantId', '=', tenantId);
  return pageOf((await newestFirst(query, 'attributeId', window).execute()).map(toDefinition), window.limit);
}

export interface AttributeRow extends AttributeDefinition {
  readonly tenantId: TenantId;
}

declare module '#database/schema' {
  interface Schema {
    contact_attributes: AttributeRow;
  }
}

export function toDefinition({ tenantId: _tenant, ...definition }: AttributeRow): AttributeDefinition {
  return definition;
}
