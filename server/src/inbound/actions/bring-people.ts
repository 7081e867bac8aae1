import { type ContactSave, saveContacts } from '#contacts/actions/save-contacts';
import type { Contact } from '#contacts/domain/contact';
import { applyContactChange } from '#contacts/domain/contact-change';
import { type HeldIdentity, isFormer } from '#contacts/domain/contact-identity';
import { newContact } from '#contacts/domain/new-contact';
import { claimKeys, type IdentityName, lockContacts, recognizeAll } from '#contacts/store/contact-identities';
import type { ContactId, MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { Person } from '#core/json-fields';
import { phoneKey } from '#core/phone/phone-key';
import type { InboundRow } from '#inbound/store/inbound-batch';
import { type JoinWork, namesOf } from './join-contacts.ts';
import { resolveContacts } from './resolve-contacts.ts';

/** Somebody of whom the past says something. */
export interface DatedPerson extends Person {
  /** When the number was this person's, by the network's clock. */
  readonly at: number;
}

/** What the past adds to a contact; the same object: nothing. */
export type Complete<Of> = (contact: Contact, person: Of) => Contact;

/**
 * The contacts of many people, made where there are none, in a few statements for all of them. The caller holds them (holdSenders):
 * nobody else makes or merges contacts of the tenant meanwhile.
 */
export async function bringPeople<Of extends DatedPerson>(
  work: JoinWork,
  tenantId: TenantId,
  { people, complete }: { readonly people: readonly Of[]; readonly complete: Complete<Of> },
): Promise<ReadonlyMap<Of, ContactId>> {
  const found = await recognizeAll(work.tx, tenantId, namesOf(...people));
  const known = new Map(found.map(({ identity }) => [nameOf(identity), identity]));
  const contacts = new Map(found.map(({ contact }) => [contact.contactId, contact]));
  const saves = new Map<ContactId, ContactSave>();
  const places = new Map<Of, ContactId>();
  const change = (before: Contact | null, now: Contact, person: Of) => {
    places.set(person, now.contactId);
    const after = complete(now, person);
    if (before !== after)
      saves.set(now.contactId, { before, after: before === null ? { ...after, version: 1 } : after });
  };
  const made = new Map<string, ContactId>();
  const unclear: Of[] = [];
  for (const person of people) {
    const names = namesOf(person).map(nameOf);
    const owner = soleOwner(names, { known, made });
    if (owner === 'unclear') unclear.push(person);
    else if (owner === null) {
      const fresh = newPerson(work, person);
      for (const name of names) made.set(name, fresh.contactId);
      change(null, fresh, person);
    } else {
      const before = saves.get(owner)?.before ?? contacts.get(owner) ?? null;
      const now = saves.get(owner)?.after ?? contacts.get(owner);
      if (now !== undefined) change(before, now, person);
    }
  }
  await claimNames(work, tenantId, made);
  await saveContacts(work, tenantId, [...saves.values()]);
  for (const [person, contactId] of await bringUnclear(work, tenantId, { people: unclear, complete })) {
    places.set(person, contactId);
  }
  return places;
}

interface Owners {
  readonly known: ReadonlyMap<string, HeldIdentity>;
  readonly made: ReadonlyMap<string, ContactId>;
}

/** Whose all these names are; null: nobody's. Unclear: of several, of some alone, or given up by their owner. */
function soleOwner(names: readonly string[], { known, made }: Owners): ContactId | null | 'unclear' {
  const held = names.map((name) => known.get(name));
  if (held.some((identity) => identity !== undefined && isFormer(identity))) return 'unclear';
  const owners = new Set(names.map((name, index) => held[index]?.contactId ?? made.get(name) ?? null));
  const [owner = null] = owners;
  return owners.size === 1 ? owner : 'unclear';
}

function nameOf({ kind, value }: IdentityName): string {
  return `${kind}/${phoneKey(value)}`;
}

function newPerson({ rt, nowMs }: JoinWork, { phone, userId }: Person): Contact {
  return { ...applyContactChange(newContact(rt.newId<ContactId>(), nowMs), { phone, userId }, nowMs), version: 1 };
}

/** Requests make contacts without asking who holds the tenant: the callback is then applied again, and finds theirs. */
async function claimNames({ tx }: JoinWork, tenantId: TenantId, made: ReadonlyMap<string, ContactId>): Promise<void> {
  if (made.size === 0) return;
  const claims = [...made].map(([name, contactId]) => ({ key: name.slice(name.indexOf('/') + 1), contactId }));
  if ((await claimKeys(tx, tenantId, claims)) < claims.length) throw new Error('A contact was made meanwhile.');
}

/** People who are several contacts, or whose number may be somebody else's by now: one by one, as senders of messages are. */
async function bringUnclear<Of extends DatedPerson>(
  work: JoinWork,
  tenantId: TenantId,
  { people, complete }: { readonly people: readonly Of[]; readonly complete: Complete<Of> },
): Promise<ReadonlyMap<Of, ContactId>> {
  if (people.length === 0) return new Map();
  const rows = new Map(people.map((person) => [person, silentRow(work, tenantId, person)]));
  const contactOf = await resolveContacts(work, [...rows.values()]);
  const places = new Map([...rows].map(([person, row]) => [person, contactOf(row)]));
  const saves = new Map((await lockContacts(work.tx, tenantId, [...new Set(places.values())])).map(toSave));
  for (const [person, contactId] of places) {
    const save = saves.get(contactId);
    if (save !== undefined) saves.set(contactId, { ...save, after: complete(save.after, person) });
  }
  await saveContacts(work, tenantId, [...saves.values()]);
  return places;
}

function toSave(contact: Contact): readonly [ContactId, ContactSave] {
  return [contact.contactId, { before: contact, after: contact }];
}

/** Somebody as the sender of a message that says nothing. */
function silentRow({ rt, nowMs }: JoinWork, tenantId: TenantId, { phone, userId, at }: DatedPerson): InboundRow {
  return {
    ...{ tenantId, messageId: rt.newId<MessageId>(), networkMessageId: '', phoneNumberId: '' as PhoneNumberId },
    ...{ phone, userId, profileName: null, username: null, networkMs: at, nowMs },
    ...{ type: 'system', body: null, content: {}, context: null, groupId: null, opensWindow: false },
    ...{ versions: null, deletedMs: null, replyTo: null, referral: null },
  };
}
