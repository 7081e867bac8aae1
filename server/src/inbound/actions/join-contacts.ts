import { SERVICE } from '#access/domain/audit';
import { type ContactWork, isSilent, saveContacts, suppressNumbers } from '#contacts/actions/save-contacts';
import type { Contact } from '#contacts/domain/contact';
import { applyContactChange } from '#contacts/domain/contact-change';
import { currentIdentity, type HeldIdentity, hasChangedHands } from '#contacts/domain/contact-identity';
import {
  findIdentitiesOf,
  type IdentityName,
  noteIdentityTime,
  type RecognisedContact,
  recognizeAll,
} from '#contacts/store/contact-identities';
import { claimIdentity, type IdentityClaim, releaseIdentity } from '#contacts/store/contacts';
import type { Actor } from '#core/caller/actor';
import type { ContactId, TenantId } from '#core/ids';
import type { Person } from '#core/json-fields';
import { phoneKey } from '#core/phone/phone-key';
import type { IdentityChange } from '#inbound/domain/callback-identity';
import { mergeLocked } from '#merges/actions/merge-contacts';
import { wereTakenApart } from '#merges/store/contact-merges';

/** A contact whose tenant is known. */
export interface OwnedContact {
  readonly tenantId: TenantId;
  readonly contact: Contact;
}

/** A transaction in which contacts turn out to be one person. */
export interface JoinWork extends ContactWork {
  /** What was merged here, and into what. */
  readonly survivors: Map<ContactId, ContactId>;
  /** Collects the senders who are blocked; left out: nobody asks for them. */
  readonly blocked?: OwnedContact[];
}

/** A change of which the tenant is known. */
export interface OwnedIdentityChange extends IdentityChange {
  readonly tenantId: TenantId;
  /** Milliseconds since 1970, the network's clock. */
  readonly at: number;
}

/** Times that somebody else may take a name while the change is applied. */
const MAX_ROUNDS = 5;
const NETWORK: Actor = { kind: 'system', id: null };

/** The contact that one is part of by now, as far as this transaction merged it. */
export function survivorOf({ survivors }: JoinWork, contactId: ContactId): ContactId {
  let id = contactId;
  for (let next = survivors.get(id); next !== undefined; next = survivors.get(id)) id = next;
  return id;
}

/** What these people are known by, none twice. */
export function namesOf(...people: readonly Person[]): readonly IdentityName[] {
  const names = people.flatMap(({ phone, userId }): readonly IdentityName[] => [
    ...(phone === null ? [] : [{ kind: 'phone', value: phone } as const]),
    ...(userId === null ? [] : [{ kind: 'user_id', value: userId } as const]),
  ]);
  return names.filter((name, index) => names.findIndex((other) => isSame(name, other)) === index);
}

export function namesNotIn(
  names: readonly IdentityName[],
  found: readonly RecognisedContact[],
): readonly IdentityName[] {
  return names.filter((name) => !found.some(({ identity }) => isSame(identity, name)));
}

/** What was found, in the order of the names that it was found by. */
export function inOrderOfNames(
  names: readonly IdentityName[],
  found: readonly RecognisedContact[],
): readonly RecognisedContact[] {
  return names.flatMap((name) => found.filter(({ identity }) => isSame(identity, name)));
}

/** Takes identities for their contacts. @returns whether all of them are theirs now */
export async function claimAll({ tx }: JoinWork, claims: readonly IdentityClaim[]): Promise<boolean> {
  let all = true;
  for (const claim of claims) if ((await claimIdentity(tx, claim)) !== claim.contactId) all = false;
  return all;
}

/**
 * Makes contacts that one person turned out to be into one: the oldest stays. Two that somebody took apart stay two, and
 * the first one given counts.
 * @param found locked
 */
export async function joinContacts(
  work: JoinWork,
  tenantId: TenantId,
  found: readonly RecognisedContact[],
): Promise<Contact | null> {
  const [first, ...others] = new Map(found.map(({ contact }) => [contact.contactId, contact])).values();
  let joined = first ?? null;
  for (const other of others) {
    if (joined === null || (await wereTakenApart(work.tx, tenantId, [joined.contactId, other.contactId]))) continue;
    const [survivor, merged] = isOlder(other, joined) ? [other, joined] : [joined, other];
    joined = await mergeLocked(work, { tenantId, origin: SERVICE, actor: NETWORK, survivor, merged });
    work.survivors.set(merged.contactId, survivor.contactId);
  }
  return joined;
}

function isOlder(one: Contact, other: Contact): boolean {
  if (one.createdMs !== other.createdMs) return one.createdMs < other.createdMs;
  return one.contactId < other.contactId;
}

/**
 * Gives a person the number or user id that the network reports, to be written to by it from now on; the former one still
 * leads to the person. Contacts of both become one.
 * @returns null when nobody is known by any of them, which changes nothing
 */
export async function applyIdentityChange(work: JoinWork, change: OwnedIdentityChange): Promise<Contact | null> {
  const { tenantId } = change;
  let hasFreed = false;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { theirs, missing, freed } = await findPerson(work, change);
    hasFreed ||= freed;
    const before = await joinContacts(work, tenantId, theirs);
    if (before === null) return null;
    const { contactId } = before;
    const claims = missing.map((name) => ({ tenantId, contactId, ...name }));
    // Somebody made a contact of one of them in the meantime: it is found now.
    if (!(await claimAll(work, claims))) continue;
    await noteTimes(work, contactId, change);
    return settle(work, { before, isWider: claims.length > 0, hasFreed }, change);
  }
  throw new Error('A name of a person kept changing hands while a change of it was applied.');
}

/** Whom the names of a change mean. */
interface Found {
  readonly theirs: readonly RecognisedContact[];
  /** Names that belong to nobody. */
  readonly missing: readonly IdentityName[];
  /** Whether a number is among them that somebody else gave up. */
  readonly freed: boolean;
}

/** A number may have had another owner before the change, and may have another one since. */
async function findPerson({ tx }: JoinWork, { tenantId, previous, current, at }: OwnedIdentityChange): Promise<Found> {
  const names = namesOf(previous, current);
  const found = inOrderOfNames(names, await recognizeAll(tx, tenantId, names));
  const isLaterOwner = ({ kind, value, sinceMs }: HeldIdentity) =>
    kind === 'phone' && previous.phone !== null && value === phoneKey(previous.phone) && (sinceMs ?? 0) > at;
  const theirs = ofContacts(
    found,
    found.filter(({ identity }) => !hasChangedHands(identity, at) && !isLaterOwner(identity)),
  );
  if (theirs.length === 0) return { theirs, missing: [], freed: false };
  const given = found.filter((one) => !theirs.includes(one) && hasChangedHands(one.identity, at));
  for (const { identity } of given) await releaseIdentity(tx, { tenantId, ...identity });
  const missing = namesNotIn(
    names,
    found.filter((one) => !given.includes(one)),
  );
  return { theirs, missing, freed: given.length > 0 };
}

/** All that was found of those contacts. */
function ofContacts(
  found: readonly RecognisedContact[],
  some: readonly RecognisedContact[],
): readonly RecognisedContact[] {
  return found.filter((one) => some.some(({ contact }) => contact.contactId === one.contact.contactId));
}

function isSame(one: IdentityName, other: IdentityName): boolean {
  return one.kind === other.kind && phoneKey(one.value) === phoneKey(other.value);
}

/** Notes what was given up, as far as something took its place. */
async function noteTimes({ tx }: JoinWork, contactId: ContactId, change: OwnedIdentityChange): Promise<void> {
  const { tenantId, previous, current, at } = change;
  const owner = { tenantId, contactId };
  const now = namesOf(current);
  for (const name of namesOf(previous)) {
    const next = now.find(({ kind }) => kind === name.kind);
    if (next !== undefined && !isSame(name, next)) await noteIdentityTime(tx, owner, name, { leftMs: at });
  }
  for (const name of now) await noteIdentityTime(tx, owner, name, { sinceMs: at });
}

interface Taken {
  readonly before: Contact;
  /** Whether it has a number that somebody else gave up. */
  readonly hasFreed: boolean;
  /** Whether it is found by more than before. */
  readonly isWider: boolean;
}

/** Lets the contact be written to by what it took last. */
async function settle(
  work: JoinWork,
  { before, isWider, hasFreed }: Taken,
  { tenantId, current }: OwnedIdentityChange,
): Promise<Contact> {
  const held = await findIdentitiesOf(work.tx, tenantId, before.contactId);
  const now = {
    phone: currentIdentity(held, 'phone', { present: before.phone, taken: current.phone }),
    userId: currentIdentity(held, 'user_id', { present: before.userId, taken: current.userId }),
  };
  const after = applyContactChange(before, now, work.nowMs);
  await saveContacts(work, tenantId, [{ before, after }]);
  if (hasFreed || (isWider && isSilent(after))) await suppressNumbers(work, tenantId, [after]);
  return after;
}
