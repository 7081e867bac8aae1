import type { ContactId, PhoneNumberId } from '#core/ids';
import { isJsonList, type JsonObject, type JsonValue } from '#core/json';
import { isUserId } from '#core/phone/recipient';
import { foldedWords, foldWhole } from '#core/text/normalize-text';

export type ContactStatus = 'active' | 'blocked';
export type Marketing = 'granted' | 'denied' | 'unknown';

/** A person who sends or receives messages. */
export interface Contact {
  readonly contactId: ContactId;
  /** As the network spells it, else as it was given: digits only. */
  readonly phone: string | null;
  /** The network's identifier of a person who may show no number. */
  readonly userId: string | null;
  /** What people here call the contact. */
  readonly name: string | null;
  /** What the book of the business's phone calls the contact, by its latest report; null: none named it. */
  readonly bookName: string | null;
  /** When the phone's book said so, by the network's clock. */
  readonly bookMs: number | null;
  /** What the contact calls itself. */
  readonly profileName: string | null;
  readonly username: string | null;
  /** The identifier in another system of the tenant; unique. */
  readonly externalId: string | null;
  /** BCP 47. */
  readonly language: string | null;
  /** ISO 3166, of the phone. */
  readonly country: string | null;
  readonly status: ContactStatus;
  /** Values by the key of their definition. */
  readonly attributes: JsonObject;
  /** As they were given, none twice. */
  readonly tags: readonly string[];
  readonly consent: Consent;
  readonly lastInboundMs: number | null;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly version: number;
}

export interface Consent {
  readonly marketing: Marketing;
  /** Where it comes from; null while it is unknown. */
  readonly source: string | null;
  readonly atMs: number | null;
  /** What the contact told the network about marketing from single sending numbers, in the order of these. */
  readonly numbers: readonly NumberConsent[];
}

/** What a contact told the network about marketing from one sending number. */
export interface NumberConsent {
  readonly phoneNumberId: PhoneNumberId;
  /** granted: a refusal was taken back. */
  readonly marketing: 'granted' | 'denied';
  /** By the network's clock: the later word counts, in whichever order they come. */
  readonly atMs: number;
}

/** What is said of single numbers once more is said of them: of each the latest; of two at the same moment the refusal. */
export function withNumberConsents(
  known: readonly NumberConsent[],
  said: readonly NumberConsent[],
): readonly NumberConsent[] {
  const latest = new Map(known.map((one) => [one.phoneNumberId, one]));
  for (const one of said) {
    const before = latest.get(one.phoneNumberId);
    const counts = !before || one.atMs > before.atMs || (one.atMs === before.atMs && one.marketing === 'denied');
    if (counts) latest.set(one.phoneNumberId, one);
  }
  return [...latest.values()].sort((a, b) => (a.phoneNumberId < b.phoneNumberId ? -1 : 1));
}

/** The sending numbers that a contact takes no marketing from. */
export function stoppedNumbers({ consent }: Pick<Contact, 'consent'>): readonly PhoneNumberId[] {
  return consent.numbers.flatMap((one) => (one.marketing === 'denied' ? [one.phoneNumberId] : []));
}

/** What proves a change of consent. */
export interface ConsentProof {
  readonly source: string;
  readonly wording: string | null;
  readonly messageId: string | null;
}

/** Tags of one contact; more is a list that belongs elsewhere. */
export const MAX_CONTACT_TAGS = 100;
/** Words of one contact that it is found by. */
const MAX_SEARCH_WORDS = 40;
const MAX_WORD = 64;

/** What the name is for conditions and search: what people call the contact, else what it calls itself. */
export function displayName(contact: Pick<Contact, 'name' | 'profileName'>): string | null {
  return contact.name ?? contact.profileName;
}

/** Whom a message to a contact goes to: the number, else the user id; null when there is neither. */
export function recipientOfContact({ phone, userId }: Pick<Contact, 'phone' | 'userId'>): string | null {
  if (phone !== null) return phone;
  return userId !== null && isUserId(userId) ? userId : null;
}

/** Values in one order, so that the same values are the same contact: the database keeps none. */
export function sortedValues(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Tags with those added and without those removed; case and accents make no other tag. */
export function changeTags(
  tags: readonly string[],
  { add = [], remove = [] }: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
): readonly string[] {
  const gone = new Set(remove.map(foldWhole));
  const kept = new Map<string, string>();
  for (const tag of [...tags, ...add]) {
    const key = foldWhole(tag);
    if (!gone.has(key) && !kept.has(key)) kept.set(key, tag.trim());
  }
  return [...kept.values()];
}

/** The terms that a contact is found by: `w:` words and numbers, `t:` tags. */
export function termsOf(contact: Contact): readonly string[] {
  const texts = [
    contact.name,
    contact.profileName,
    contact.username,
    contact.externalId,
    contact.phone,
    contact.userId,
  ];
  const words = texts.flatMap((text) => (text === null ? [] : foldedWords(text)));
  const terms = [...new Set(words)].slice(0, MAX_SEARCH_WORDS).map((word) => `w:${word.slice(0, MAX_WORD)}`);
  return [...terms, ...contact.tags.map((tag) => `t:${foldWhole(tag)}`)];
}

/** The words of a search; the contact has to have a word that begins with each. */
export function searchTerms(query: string): readonly string[] {
  return foldedWords(query.replaceAll('+', ' ')).map((word) => `w:${word.slice(0, MAX_WORD)}`);
}

/** The texts of a contact that conditions compare, folded: by the name of the field without `contact.`. */
export function foldedTexts(contact: Contact): JsonObject {
  const attributes = Object.entries(contact.attributes).map(([key, value]) => [`attributes.${key}`, value] as const);
  const fields = [
    ['name', displayName(contact)] as const,
    ['phone', contact.phone] as const,
    ['external_id', contact.externalId] as const,
    ...attributes,
  ];
  return Object.fromEntries(fields.flatMap(([field, value]) => foldedField(field, value)));
}

function foldedField(field: string, value: JsonValue): readonly (readonly [string, JsonObject])[] {
  if (typeof value === 'string') {
    return [[field, { whole: foldWhole(value), words: ` ${foldedWords(value).join(' ')} ` }]];
  }
  if (!isJsonList(value)) return [];
  return [[field, { items: value.flatMap((item) => (typeof item === 'string' ? [foldWhole(item)] : [])) }]];
}
