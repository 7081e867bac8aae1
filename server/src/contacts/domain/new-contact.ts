import type { Contact } from '#contacts/domain/contact';
import type { ContactId } from '#core/ids';

/** A contact of which nothing is known yet. */
export function newContact(contactId: ContactId, nowMs: number): Contact {
  return {
    contactId,
    phone: null,
    userId: null,
    name: null,
    bookName: null,
    bookMs: null,
    profileName: null,
    username: null,
    externalId: null,
    language: null,
    country: null,
    status: 'active',
    attributes: {},
    tags: [],
    consent: { marketing: 'unknown', source: null, atMs: null, numbers: [] },
    lastInboundMs: null,
    createdMs: nowMs,
    updatedMs: nowMs,
    version: 1,
  };
}
