import type { JsonObject, JsonValue } from '#core/json';
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
    consent: { marketing: consent.marketing, source: consent.source, at: timeOf(consent.atMs) },
    last_inbound_at: timeOf(contact.lastInboundMs),
    version: contact.version,
    created_at: timeOf(contact.createdMs),
    updated_at: timeOf(contact.updatedMs),
  };
}

/** Fields whose change is recorded by the version or by an event of another type. */
const UNREPORTED: ReadonlySet<string> = new Set(['version', 'updated_at', 'last_inbound_at']);

/** What differs between two states of a contact: the old and the new value of each field. */
export function contactChanges(before: Contact, after: Contact): JsonObject {
  const [old, now] = [contactJson(before), contactJson(after)];
  const differing = Object.keys(now).filter(
    (field) => !UNREPORTED.has(field) && JSON.stringify(old[field]) !== JSON.stringify(now[field]),
  );
  return Object.fromEntries(
    differing.map((field): [string, JsonValue] => [field, [old[field] ?? null, now[field] ?? null]]),
  );
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
