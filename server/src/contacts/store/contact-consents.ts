import type { ConsentProof, Marketing } from '#contacts/domain/contact';
import type { ConsentId, ContactId, PhoneNumberId, TenantId } from '#core/ids';
import { columnsOf } from '#database/arrays';
import { type SqlRunner, statement, type Transaction } from '#database/database';

/** One line of the ledger of consent. */
export interface ConsentEntry extends ConsentProof {
  readonly entryId: ConsentId;
  readonly contactId: ContactId;
  readonly marketing: Marketing;
  /** The sending number that it is about; null: all. */
  readonly phoneNumberId: PhoneNumberId | null;
  readonly recordedMs: number;
}

const CONTACT_CONSENTS_ADD = statement('contact_consents_add')`
insert into contact_consents (tenant_id, entry_id, contact_id, marketing, source, wording, message_id, recorded_ms, phone_number_id)
select $1, r.* from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::bigint[], $9::text[]) as r`;

export async function addConsents(
  tx: Transaction,
  tenantId: TenantId,
  entries: readonly ConsentEntry[],
): Promise<void> {
  const ids = columnsOf(entries, 'entryId', 'contactId');
  const proofs = columnsOf(entries, 'marketing', 'source', 'wording', 'messageId', 'recordedMs', 'phoneNumberId');
  await tx.run(CONTACT_CONSENTS_ADD, [tenantId, ...ids, ...proofs]);
}

const LEDGER = statement('contact_consents_list')`
with recursive part as (
  select $2::uuid as contact_id
  union
  select c.contact_id from part p join contacts c on c.tenant_id = $1 and c.merged_into = p.contact_id
)
select e.entry_id, e.contact_id, e.marketing, e.source, e.wording, e.message_id, e.recorded_ms, e.phone_number_id
from contact_consents e where e.tenant_id = $1 and e.contact_id in (select contact_id from part) and ($4::uuid is null or e.entry_id < $4::uuid)
order by e.entry_id desc limit $3`;

/**
 * The ledger of one contact and of those that were merged into it, newest first.
 * @param beforeId only what is older than this entry; null: everything
 */
export async function listConsents(
  db: SqlRunner,
  tenantId: TenantId,
  contactId: ContactId,
  limit: number,
  beforeId: string | null = null,
): Promise<readonly ConsentEntry[]> {
  return (await db.run<ConsentEntry>(LEDGER, [tenantId, contactId, limit, beforeId])).rows;
}
