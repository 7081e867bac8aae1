import type { Contact } from '#contacts/domain/contact';
import { type ContactRow, toContact } from '#contacts/store/contact-rows';
import type { TenantId } from '#core/ids';
import { type SqlRunner, statement } from '#database/database';

const BY_KEYS = statement('import_lock_by_keys')`
select c.*, i.value as identity_key from contact_identities i
join contacts c on c.tenant_id = i.tenant_id and c.contact_id = i.contact_id
where i.tenant_id = $1 and i.kind = any('{phone,user_id}') and i.value = any($2::text[])
order by c.contact_id for update of c`;
const BY_EXTERNAL_IDS = statement('import_lock_by_external_ids')`
select * from contacts where tenant_id = $1 and external_id = any($2::text[]) and merged_into is null and erased_ms is null
order by contact_id for update`;

/** Locks the contacts with these keys of numbers and user ids. @returns them by the key that found them */
export async function lockByKeys(
  tx: SqlRunner,
  tenantId: TenantId,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Contact>> {
  const { rows } = await tx.run<ContactRow & { identityKey: string }>(BY_KEYS, [tenantId, [...keys]]);
  // Merged or erased while we waited for it: the portion is rolled back, and finds what there is by then.
  if (rows.some((row) => row.mergedInto !== null || row.erasedMs !== null)) {
    throw new Error('A contact of this portion was merged or erased meanwhile.');
  }
  return new Map(rows.map((row) => [row.identityKey, toContact(row)]));
}

/** Locks the contacts with these external ids. @returns them by external id */
export async function lockByExternalIds(
  tx: SqlRunner,
  tenantId: TenantId,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, Contact>> {
  const { rows } = await tx.run<ContactRow>(BY_EXTERNAL_IDS, [tenantId, [...externalIds]]);
  return new Map(rows.map((row) => [row.externalId ?? '', toContact(row)]));
}
