import type { AttributeId, ContactId, TenantId } from '#core/ids';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { type Find, firstRow, type Lock } from '#database/rows';
import { type AttributeDefinition, type AttributeRow, toDefinition } from './contact-attributes.ts';

const CONTACT_ATTRIBUTE_FIND = statement('contact_attribute_find')`
select * from contact_attributes where tenant_id = $1 and attribute_id = $2`;
const CONTACT_ATTRIBUTE_LOCK = statement('contact_attribute_lock')`${CONTACT_ATTRIBUTE_FIND.text} for update`;

export const findAttribute: Find<AttributeDefinition> = (db, ...key) =>
  firstRow(db.run<AttributeRow>(CONTACT_ATTRIBUTE_FIND, key), toDefinition);
export const lockAttribute: Lock<AttributeDefinition> = (tx, ...key) =>
  firstRow(tx.run<AttributeRow>(CONTACT_ATTRIBUTE_LOCK, key), toDefinition);

const RELABEL = statement('contact_attribute_relabel')`
update contact_attributes set label = $3, version = $4 where tenant_id = $1 and attribute_id = $2`;
const CONTACT_ATTRIBUTE_REMOVE = statement('contact_attribute_remove')`
delete from contact_attributes where tenant_id = $1 and attribute_id = $2`;

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
const CONTACT_ATTRIBUTE_USERS = statement('contact_attribute_users')`
select name from segments where tenant_id = $1 and strpos(condition::text, $2) > 0
order by segment_id limit 1`;

/** The name of a segment whose condition asks for an attribute; null when there is none. */
export async function findAttributeUser(db: SqlRunner, tenantId: TenantId, key: string): Promise<string | null> {
  const { rows } = await db.run<{ name: string }>(CONTACT_ATTRIBUTE_USERS, [tenantId, `"contact.attributes.${key}"`]);
  return rows[0]?.name ?? null;
}

const STRIP = statement('contact_attribute_strip')`
with holders as (
  select contact_id from contacts
  where tenant_id = $1 and contact_id > $3::uuid and attributes ? $2
  order by contact_id limit $5 for update
)
update contacts c set attributes = c.attributes - $2, folded = c.folded - ('attributes.' || $2),
  version = c.version + 1, updated_ms = greatest(c.updated_ms, $4)
from holders h where c.tenant_id = $1 and c.contact_id = h.contact_id
returning c.contact_id`;

/** Takes an attribute from the next contacts behind one. @returns the last of them; null when there were none */
export async function stripAttribute(
  tx: Transaction,
  tenantId: TenantId,
  of: { readonly key: string; readonly afterId: string; readonly nowMs: number; readonly limit: number },
): Promise<ContactId | null> {
  const { rows } = await tx.run<{ contactId: ContactId }>(STRIP, [tenantId, of.key, of.afterId, of.nowMs, of.limit]);
  const ids = rows.map(({ contactId }) => contactId).sort();
  return ids.at(-1) ?? null;
}
