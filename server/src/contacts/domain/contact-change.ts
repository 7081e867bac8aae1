import type { JsonObject, JsonValue } from '#core/json';
import { countryOf } from '#core/phone/number-plan';
import {
  type Consent,
  type Contact,
  type ContactStatus,
  changeTags,
  type Marketing,
  type NumberConsent,
  sortedValues,
  withNumberConsents,
} from './contact.ts';

/** What is wished of a contact; what is left out stays as it is. */
export interface ContactChange {
  /** Digits only. */
  readonly phone?: string | null;
  readonly userId?: string | null;
  readonly name?: string | null;
  readonly profileName?: string | null;
  readonly username?: string | null;
  readonly externalId?: string | null;
  readonly language?: string | null;
  readonly status?: ContactStatus;
  /** Values by key; null takes a value away. */
  readonly attributes?: JsonObject;
  /** All tags, before those that are added or removed. */
  readonly tags?: readonly string[];
  readonly addTags?: readonly string[];
  readonly removeTags?: readonly string[];
  readonly marketing?: Marketing;
  /** Where a change of consent comes from. */
  readonly consentSource?: string;
  /** What was said of marketing from one number; an older word changes nothing. */
  readonly numberConsent?: NumberConsent;
  readonly lastInboundMs?: number;
}

/** The contact after a change, with the next version; the same object when nothing of it changes. */
export function applyContactChange(contact: Contact, change: ContactChange, nowMs: number): Contact {
  const phone = given(change.phone, contact.phone);
  const next: Contact = {
    ...contact,
    phone,
    country: phone === contact.phone ? contact.country : countryOfMaybe(phone),
    userId: given(change.userId, contact.userId),
    name: given(change.name, contact.name),
    profileName: given(change.profileName, contact.profileName),
    username: given(change.username, contact.username),
    externalId: given(change.externalId, contact.externalId),
    language: given(change.language, contact.language),
    status: change.status ?? contact.status,
    attributes: withValues(contact.attributes, change.attributes),
    tags: changeTags(change.tags ?? contact.tags, { add: change.addTags ?? [], remove: change.removeTags ?? [] }),
    consent: consentAfter(contact, change, nowMs),
    lastInboundMs: later(contact.lastInboundMs, change.lastInboundMs),
  };
  if (JSON.stringify(next) === JSON.stringify(contact)) return contact;
  return { ...next, updatedMs: Math.max(contact.updatedMs, nowMs), version: contact.version + 1 };
}

function given<T>(wished: T | undefined, now: T): T {
  return wished === undefined ? now : wished;
}

function countryOfMaybe(phone: string | null): string | null {
  return phone === null ? null : countryOf(phone);
}

function later(now: number | null, wished: number | undefined): number | null {
  if (wished === undefined) return now;
  return Math.max(now ?? wished, wished);
}

function withValues(now: JsonObject, wished: JsonObject | undefined): JsonObject {
  if (wished === undefined) return now;
  const values: [string, JsonValue][] = Object.entries({ ...now, ...wished });
  return sortedValues(Object.fromEntries(values.filter(([, value]) => value !== null)));
}

function consentAfter(contact: Contact, change: ContactChange, nowMs: number): Consent {
  const { marketing, consentSource = 'api', numberConsent } = change;
  const numbers = withNumberConsents(contact.consent.numbers, numberConsent ? [numberConsent] : []);
  if (marketing === undefined || marketing === contact.consent.marketing) return { ...contact.consent, numbers };
  return { marketing, source: consentSource, atMs: nowMs, numbers };
}
