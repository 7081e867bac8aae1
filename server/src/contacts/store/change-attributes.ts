import type { AttributeId, ContactId, TenantId } from '#core/ids';
import type { SqlRunner, Statement, Transaction } from '#database/database';
import type { Schema } from '#database/schema';
import { type AttributeDefinition, toDefinition } from './contact-attributes.ts';

const CONTACT_ATTRIBUTE_FIND: Statement = {
  name: 'contact_attribute_find',
  text: 'select * from contact_attributes where tenant_id = $1 and attribute_id = $2',
};
const CONTACT_ATTRIBUTE_LOCK: Statement = {
  name: 'contact_attribute_lock',
  text: `${CONTACT_ATTRIBUTE_FIND.text} for update`,
};

export async function findAttribute(
  db: SqlRunner,
  tenantId: TenantId,
  attributeId: string,
): Promise<AttributeDefinition | null> {
  const { rows } = await db.run<Schema['contact_attributes']>(CONTACT_ATTRIBUTE_FIND, [tenantId, attributeId]);
  return rows[0] === undefined ? null : toDefinition(rows[0]);
}

export async function lockAttribute(
  tx: Transaction,
  tenantId: TenantId,
  attributeId: string,
): Promise<AttributeDefinition | null> {
  const { rows } = await tx.run<Schema['contact_attributes']>(CONTACT_ATTRIBUTE_LOCK, [tenantId, attributeId]);
  return rows[0] === undefined ? null : toDefinition(rows[0]);
}

const RELABEL: Statement = {
  name: 'contact_attribute_relabel',
  text: 'update contact_attributes set label = $3, version = $4 where tenant_id = $1 and attribute_id = $2',
};
const CONTACT_ATTRIBUTE_REMOVE: Statement = {
  name: 'contact_attribute_remove',
  text: 'delete from contact_attributes where tenant_id = $1 and attribute_id = $2',
};

export async function saveLabel(
  tx: Transaction,
  tenantId: TenantId,
  { attributeId, label, version }: AttributeDefinition,
): Promise<void> {
  await tx.run(RELABEL, [tenantId, attributeId, label, version]);
}

export async function removeAttribute(tx: Transaction, tenantId: TenantId, attributeId: AttributeId): Promise<void> {
  await tx.run(CONTACT_ATTRIBUTE_REMOVE, [tenantId, attributeId]);
}

/** Conditions are few and short: they are looked through as texts. */
const CONTACT_ATTRIBUTE_USERS: Statement = {
  name: 'contact_attribute_users',
  text: `
select name from segments where tenant_id = $1 and strpos(condition::text, $2) > 0
order by segment_id limit 1`,
};

/** The name of a segment whose condition asks for an attribute; null when there is none. */
export async function findAttributeUser(db: SqlRunner, tenantId: TenantId, key: string): Promise<string | null> {
  const { rows } = await db.run<{ name: string }>(CONTACT_ATTRIBUTE_USERS, [tenantId, `"contact.attributes.${key}"`]);
  return rows[0]?.name ?? null;
}

const STRIP: Statement = {
  name: 'contact_attribute_strip',
  text: `
with holders as (
  select contact_id from contacts
  where tenant_id = $1 and contact_id > $3::uuid and attributes ? $2
  order by contact_id limit $5 for update
)
update contacts c set attributes = c.attributes - $2, folded = c.folded - ('attributes.' || $2),
  version = c.version + 1, updated_ms = greatest(c.updated_ms, $4)
from holders h where c.tenant_id = $1 and c.contact_id = h.contact_id
returning c.contact_id`,
};

/** Takes an attribute from the next contacts behind one. @returns the last of them; null when there were none */
export async function stripAttribute(
  tx: Transaction,
  of: {
    readonly tenantId: TenantId;
    readonly key: string;
    readonly afterId: string;
    readonly nowMs: number;
    readonly limit: number;
  },
): Promise<ContactId | null> {
  const { rows } = await tx.run<{ contact_id: ContactId }>(STRIP, [
    of.tenantId,
    of.key,
    of.afterId,
    of.nowMs,
    of.limit,
  ]);
  return (
    rows
      .map((row) => row.contact_id)
      .sort()
      .at(-1) ?? null
  );
}
