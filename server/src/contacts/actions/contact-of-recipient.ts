import type { Contact } from '#contacts/domain/contact';
import { applyContactChange } from '#contacts/domain/contact-change';
import { newContact } from '#contacts/domain/new-contact';
import { claimIdentity, recognizeContact } from '#contacts/store/contacts';
import type { ContactId, TenantId } from '#core/ids';
import { identityKind } from '#core/phone/recipient';
import { type ContactWork, saveContacts } from './save-contacts.ts';

/** Others make the same contact once; later ones find it. */
const MAX_ROUNDS = 3;

/**
 * The contact with this number in any spelling or this user id, a new one when there is none, in the transaction of the caller.
 * @param recipient as `parseRecipient` reads it
 */
export async function contactOfRecipient(work: ContactWork, tenantId: TenantId, recipient: string): Promise<Contact> {
  const kind = identityKind(recipient);
  const identity = { phone: kind === 'phone' ? recipient : null, userId: kind === 'user_id' ? recipient : null };
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const known = await recognizeContact(work.tx, tenantId, identity);
    if (known !== null) return known;
    const contactId = work.rt.newId<ContactId>();
    if ((await claimIdentity(work.tx, { tenantId, kind, value: recipient, contactId })) !== contactId) continue;
    const after = { ...applyContactChange(newContact(contactId, work.nowMs), identity, work.nowMs), version: 1 };
    await saveContacts(work, tenantId, [{ before: null, after }]);
    return after;
  }
  throw new Error('A recipient kept changing hands while its contact was looked up.');
}
