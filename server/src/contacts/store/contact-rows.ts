import {
  type Contact,
  foldedTexts,
  type Marketing,
  type NumberConsent,
  sortedValues,
  termsOf,
} from '#contacts/domain/contact';
import type { ContactId, TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';

export interface ContactRow extends Omit<Contact, 'consent'> {
  readonly tenantId: TenantId;
  readonly marketing: Marketing;
  readonly marketingSource: string | null;
  readonly marketingMs: number | null;
  readonly numberConsents: readonly NumberConsent[];
  readonly folded: JsonObject;
  readonly mergedInto: ContactId | null;
  readonly erasedMs: number | null;
}

declare module '#database/schema' {
  interface Schema {
    contacts: ContactRow;
  }
}

/** One literal: rows of lists and imports that are taken apart by rest patterns cost many times as much. */
export function toContact(row: ContactRow): Contact {
  return {
    contactId: row.contactId,
    phone: row.phone,
    userId: row.userId,
    name: row.name,
    bookName: row.bookName,
    bookMs: row.bookMs,
    profileName: row.profileName,
    username: row.username,
    externalId: row.externalId,
    language: row.language,
    country: row.country,
    status: row.status,
    attributes: sortedValues(row.attributes),
    tags: row.tags,
    consent: {
      marketing: row.marketing,
      source: row.marketingSource,
      atMs: row.marketingMs,
      numbers: row.numberConsents,
    },
    lastInboundMs: row.lastInboundMs,
    createdMs: row.createdMs,
    updatedMs: row.updatedMs,
    version: row.version,
  };
}

/** A contact as the statement that writes contacts reads it, with what is derived from it. */
export function fromContact(contact: Contact): JsonObject {
  return {
    contact_id: contact.contactId,
    phone: contact.phone,
    user_id: contact.userId,
    name: contact.name,
    book_name: contact.bookName,
    book_ms: contact.bookMs,
    profile_name: contact.profileName,
    username: contact.username,
    external_id: contact.externalId,
    language: contact.language,
    country: contact.country,
    status: contact.status,
    attributes: contact.attributes,
    tags: [...contact.tags],
    marketing: contact.consent.marketing,
    marketing_source: contact.consent.source,
    marketing_ms: contact.consent.atMs,
    number_consents: contact.consent.numbers.map((one) => ({ ...one })),
    folded: foldedTexts(contact),
    terms: [...termsOf(contact)],
    last_inbound_ms: contact.lastInboundMs,
    created_ms: contact.createdMs,
    updated_ms: contact.updatedMs,
    version: contact.version,
  };
}
