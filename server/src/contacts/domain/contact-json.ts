import { changesBetween } from '#agents/domain/agent-events';
import { isoTime, isoTimeOrNull } from '#core/iso-time';
import type { JsonObject } from '#core/json';
import type { Contact } from './contact.ts';

/** A contact as the API and its events show it. */
export function contactJson(contact: Contact): JsonObject {
  const { consent } = contact;
  return {
    id: contact.contactId,
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
    consent: {
      marketing: consent.marketing,
      source: consent.source,
      at: isoTimeOrNull(consent.atMs),
      numbers: consent.numbers.map(({ phoneNumberId, marketing, atMs }) => {
        return { phone_number_id: phoneNumberId, marketing, at: isoTime(atMs) };
      }),
    },
    last_inbound_at: isoTimeOrNull(contact.lastInboundMs),
    version: contact.version,
    created_at: isoTime(contact.createdMs),
    updated_at: isoTime(contact.updatedMs),
  };
}

/** What differs between two states of a contact: the old and the new value of each field. */
export function contactChanges(before: Contact, after: Contact): JsonObject {
  // That the contact wrote is an event of another type.
  const { last_inbound_at: _wrote, ...changes } = changesBetween(contactJson(before), contactJson(after));
  return changes;
}
