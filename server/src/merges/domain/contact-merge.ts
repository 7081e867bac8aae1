import { mergeBookNames } from '#contacts/domain/book-name';
import {
  type Consent,
  type Contact,
  changeTags,
  MAX_CONTACT_TAGS,
  sortedValues,
  withNumberConsents,
} from '#contacts/domain/contact';
import type { ConversationId } from '#core/ids';
import type { JsonObject, JsonValue } from '#core/json';
import { countryOf } from '#core/phone/number-plan';
import { phoneKey } from '#core/phone/phone-key';
import { foldWhole } from '#core/text/normalize-text';

/** What undoing a merge needs; kept with it. */
export interface MergeState {
  /** The survivor, right before and right after. */
  readonly before: Contact;
  readonly after: Contact;
  /** What the other contact is found by, given up for as long as it is part of the survivor. */
  readonly externalId: string | null;
  readonly phoneKeys: readonly string[];
  readonly userIds: readonly string[];
  /** The other contact's conversations. */
  readonly conversations: readonly ConversationId[];
  /** Of two conversations with one number that were not resolved: the one that the merge resolved, and what it was. */
  readonly resolved: readonly ResolvedByMerge[];
}

export interface ResolvedByMerge {
  readonly conversationId: ConversationId;
  readonly status: 'open' | 'pending' | 'snoozed';
  readonly waitingSinceMs: number | null;
  readonly snoozedUntilMs: number | null;
  /** Its version when the merge had resolved it: with another one it was changed since. */
  readonly version: number;
  /** The surviving conversation, and since when its customer waited before and after. */
  readonly kept: ConversationId;
  readonly keptWaitedMs: number | null;
  readonly keptWaitsMs: number | null;
}

/** Texts of which the survivor's count; the other's only fill gaps. */
const TEXTS = ['userId', 'profileName', 'username', 'externalId', 'language'] as const;

const NAMES = ['name', 'bookName', 'bookMs'] as const;

/**
 * The survivor once the other contact is part of it; the same object when it gains nothing. What the survivor says of
 * itself counts, the number that last wrote is the one to answer, and where the two differ in what may be sent, the
 * stricter counts.
 */
export function mergeContact(survivor: Contact, other: Contact, nowMs: number): Contact {
  const phone = phoneAfter(survivor, other);
  const next: Contact = {
    ...survivor,
    ...Object.fromEntries(TEXTS.map((field) => [field, survivor[field] ?? other[field]])),
    ...mergeBookNames(survivor, other),
    phone,
    country: countryFor(phone, survivor, other),
    status: survivor.status === 'blocked' ? 'blocked' : other.status,
    attributes: sortedValues({ ...other.attributes, ...survivor.attributes }),
    tags: changeTags(survivor.tags, { add: other.tags }).slice(0, MAX_CONTACT_TAGS),
    consent: stricter(survivor.consent, other.consent),
    lastInboundMs: latest(survivor.lastInboundMs, other.lastInboundMs),
  };
  return changed(survivor, next, nowMs);
}

function phoneAfter(survivor: Contact, other: Contact): string | null {
  if (survivor.phone === null || other.phone === null) return survivor.phone ?? other.phone;
  return (other.lastInboundMs ?? 0) > (survivor.lastInboundMs ?? 0) ? other.phone : survivor.phone;
}

function countryFor(phone: string | null, ...known: readonly Contact[]): string | null {
  if (phone === null) return null;
  const same = known.find((contact) => contact.phone === phone);
  return same === undefined ? countryOf(phone) : same.country;
}

const STRICTNESS = { denied: 2, granted: 1, unknown: 0 } as const;

function stricter(one: Consent, two: Consent): Consent {
  const numbers = withNumberConsents(one.numbers, two.numbers);
  return { ...(STRICTNESS[two.marketing] > STRICTNESS[one.marketing] ? two : one), numbers };
}

function latest(one: number | null, two: number | null): number | null {
  return one === null || two === null ? (one ?? two) : Math.max(one, two);
}

/** What the two contacts are once they are apart. */
export interface Apart {
  readonly survivor: Contact;
  readonly other: Contact;
}

/**
 * Undoes a merge. Values unchanged since are as they were before; changed ones stay with the survivor. An opt-out since
 * then counts for both: it is not known which of the two it was.
 * @param now the survivor as it is
 * @param kept the other contact as the merge left it
 */
export function unmergeContact(state: MergeState, now: Contact, kept: Contact, nowMs: number): Apart {
  const { before, after } = state;
  const back = <T>(value: T, afterwards: T, earlier: T): T => (same(value, afterwards) ? earlier : value);
  const phone = isReturned(state, now.phone) ? before.phone : back(now.phone, after.phone, before.phone);
  const userId = isReturnedUser(state, now.userId) ? before.userId : back(now.userId, after.userId, before.userId);
  const survivor: Contact = {
    ...now,
    ...Object.fromEntries([...TEXTS, ...NAMES].map((field) => [field, back(now[field], after[field], before[field])])),
    userId,
    phone,
    country: countryFor(phone, now, before),
    status: back(now.status, after.status, before.status),
    attributes: attributesBack(state, now.attributes),
    tags: tagsBack(state, now.tags),
    consent: back(now.consent, after.consent, before.consent),
  };
  const refused = !same(now.consent, after.consent) && now.consent.marketing === 'denied';
  const blocked = !same(now.status, after.status) && now.status === 'blocked';
  const other: Contact = {
    ...kept,
    externalId: state.externalId,
    status: blocked ? 'blocked' : kept.status,
    consent: refused ? now.consent : kept.consent,
  };
  return { survivor: changed(now, survivor, nowMs), other: { ...other, version: kept.version + 1, updatedMs: nowMs } };
}

function isReturned({ phoneKeys }: MergeState, phone: string | null): boolean {
  return phone !== null && phoneKeys.includes(phoneKey(phone));
}

function isReturnedUser({ userIds }: MergeState, userId: string | null): boolean {
  return userId !== null && userIds.includes(userId);
}

function attributesBack({ before, after }: MergeState, now: JsonObject): JsonObject {
  const values: Record<string, JsonValue> = { ...now };
  for (const key of Object.keys({ ...before.attributes, ...after.attributes })) {
    if (!same(now[key], after.attributes[key])) continue;
    const earlier = before.attributes[key];
    if (earlier === undefined) delete values[key];
    else values[key] = earlier;
  }
  return sortedValues(values);
}

function tagsBack({ before, after }: MergeState, now: readonly string[]): readonly string[] {
  if (same(now, after.tags)) return before.tags;
  const own = new Set(before.tags.map(foldWhole));
  return changeTags(now, { remove: after.tags.filter((tag) => !own.has(foldWhole(tag))) });
}

function changed(from: Contact, to: Contact, nowMs: number): Contact {
  if (same(from, to)) return from;
  return { ...to, updatedMs: Math.max(from.updatedMs, nowMs), version: from.version + 1 };
}

function same(one: unknown, two: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(two);
}
