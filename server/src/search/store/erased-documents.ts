import { ERASED } from '#core/erasure';
import type { TenantId } from '#core/ids';
import { type Statement, statement, type Transaction } from '#database/database';
import { kindNumber } from '#search/domain/search-kind';

/*
 * What stays of an erased person names nobody, so what is erased is found by its marks: all of the tenant's, whosever it was.
 */

const STEPS: readonly Statement[] = [
  statement('search_remove_erased_inbound')`
delete from search_documents d using inbound_messages m
where m.tenant_id = $1 and m.sender = '${ERASED}'
  and d.tenant_id = m.tenant_id and d.kind = ${kindNumber.messages} and d.subject_id = m.message_id`,
  statement('search_remove_erased_outbound')`
delete from search_documents d using outbound_messages m
where m.tenant_id = $1 and m.to_phone = '${ERASED}'
  and d.tenant_id = m.tenant_id and d.kind = ${kindNumber.messages} and d.subject_id = m.message_id`,
];

/** Things of a contact, which keep its id. */
const STEPS_OF_CONTACT: readonly Statement[] = [
  statement('search_remove_erased_notes')`
delete from search_documents d using conversations c, conversation_notes n
where c.tenant_id = $1 and c.contact_id = any($2::uuid[])
  and n.tenant_id = c.tenant_id and n.conversation_id = c.conversation_id
  and d.tenant_id = c.tenant_id and d.kind = ${kindNumber.notes} and d.subject_id = n.note_id`,
  statement('search_remove_erased_conversations')`
delete from search_documents d using conversations c
where c.tenant_id = $1 and c.contact_id = any($2::uuid[])
  and d.tenant_id = c.tenant_id and d.kind = ${kindNumber.conversations} and d.subject_id = c.conversation_id`,
  statement('search_remove_erased_contacts')`
delete from search_documents d using contacts c
where c.tenant_id = $1 and c.contact_id = any($2::uuid[]) and c.erased_ms is not null
  and d.tenant_id = c.tenant_id and d.kind = ${kindNumber.contacts} and d.subject_id = c.contact_id`,
];

/** Removes what the index holds of erased contacts: what they were called, wrote and were written. */
export async function removeErased(tx: Transaction, tenantId: TenantId, contactIds: readonly string[]): Promise<void> {
  for (const step of STEPS) await tx.run(step, [tenantId]);
  for (const step of STEPS_OF_CONTACT) await tx.run(step, [tenantId, [...contactIds]]);
}
