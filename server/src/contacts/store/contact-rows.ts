import type { Contact } from '#contacts/domain/contact';
import { foldedTexts, sortedValues, termsOf } from '#contacts/domain/contact';
import type { ContactId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { Schema } from '#database/schema';

export type ContactRow = Schema['contacts'];

export function toContact(row: ContactRow): Contact {
  return {
    contactId: row.contact_id as ContactId,
    phone: row.phone,
    userId: row.user_id,
    name: row.name,
    profileName: row.profile_name,
    username: row.username,
    externalId: row.external_id,
    language: row.language,
    country: row.country,
    status: row.status,
    attributes: sortedValues(row.attributes),
    tags: row.tags,
    consent: {
      marketing: row.marketing,
      source: row.marketing_source,
      atMs: row.marketing_ms === null ? null : Number(row.marketing_ms),
    },
    lastInboundMs: row.last_inbound_ms === null ? null : Number(row.last_inbound_ms),
    createdMs: Number(row.created_ms),
    updatedMs: Number(row.updated_ms),
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
    folded: foldedTexts(contact),
    terms: [...termsOf(contact)],
    last_inbound_ms: contact.lastInboundMs,
    created_ms: contact.createdMs,
    updated_ms: contact.updatedMs,
    version: contact.version,
  };
}
