import type { ConsentProof, Marketing } from '#contacts/domain/contact';
import type { ConsentId, ContactId, TenantId } from '#core/ids';
import type { SqlRunner, Statement, Transaction } from '#database/database';
import type { Schema } from '#database/schema';

/** One line of the ledger of consent. */
export interface ConsentEntry extends ConsentProof {
  readonly entryId: ConsentId;
  readonly contactId: ContactId;
  readonly marketing: Marketing;
  readonly recordedMs: number;
}

const CONTACT_CONSENTS_ADD: Statement = {
  name: 'contact_consents_add',
  text: `
insert into contact_consents (tenant_id, entry_id, contact_id, marketing, source, wording, message_id, recorded_ms)
select $1, r.* from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::bigint[]) as r`,
};

export async function addConsents(
  tx: Transaction,
  tenantId: TenantId,
  entries: readonly ConsentEntry[],
): Promise<void> {
  await tx.run(CONTACT_CONSENTS_ADD, [
    tenantId,
    entries.map((entry) => entry.entryId),
    entries.map((entry) => entry.contactId),
    entries.map((entry) => entry.marketing),
    entries.map((entry) => entry.source),
    entries.map((entry) => entry.wording),
    entries.map((entry) => entry.messageId),
    entries.map((entry) => entry.recordedMs),
  ]);
}

const LEDGER: Statement = {
  name: 'contact_consents_list',
  text: `
with recursive part as (
  select $2::uuid as contact_id
  union
  select c.contact_id from part p join contacts c on c.tenant_id = $1 and c.merged_into = p.contact_id
)
select e.* from contact_consents e where e.tenant_id = $1 and e.contact_id in (select contact_id from part)
order by e.entry_id desc limit $3`,
};

/** The ledger of one contact and of those that were merged into it, newest first. */
export async function listConsents(
  db: SqlRunner,
  tenantId: TenantId,
  contactId: ContactId,
  limit: number,
): Promise<readonly ConsentEntry[]> {
  const { rows } = await db.run<Schema['contact_consents']>(LEDGER, [tenantId, contactId, limit]);
  return rows.map((row) => ({
    entryId: row.entry_id as ConsentId,
    contactId: row.contact_id as ContactId,
    marketing: row.marketing,
    source: row.source,
    wording: row.wording,
    messageId: row.message_id,
    recordedMs: Number(row.recorded_ms),
  }));
}
