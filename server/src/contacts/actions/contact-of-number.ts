import type { Contact } from '#contacts/domain/contact';
import { applyContactChange } from '#contacts/domain/contact-change';
import { newContact } from '#contacts/domain/new-contact';
import { claimIdentity, recognizeContact } from '#contacts/store/contacts';
import type { ContactId, TenantId } from '#core/ids';
import { type ContactWork, saveContacts } from './save-contacts.ts';

/** Others make the same contact once; later ones find it. */
const MAX_ROUNDS = 3;

/** The contact with this number in any spelling, a new one when there is none, in the transaction of the caller. */
export async function contactOfNumber(work: ContactWork, tenantId: TenantId, phone: string): Promise<Contact> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const known = await recognizeContact(work.tx, tenantId, { phone, userId: null });
    if (known !== null) return known;
    const contactId = work.rt.newId<ContactId>();
    if ((await claimIdentity(work.tx, { tenantId, kind: 'phone', value: phone, contactId })) !== contactId) continue;
    const after = { ...applyContactChange(newContact(contactId, work.nowMs), { phone }, work.nowMs), version: 1 };
    await saveContacts(work, tenantId, [{ before: null, after }]);
    return after;
  }
  throw new Error('A number kept changing hands while its contact was looked up.');
}
