import { type ContactSave, type ContactWork, saveContacts } from '#contacts/actions/save-contacts';
import { consentWord } from '#contacts/domain/consent-words';
import type { Contact } from '#contacts/domain/contact';
import { applyContactChange, type ContactChange } from '#contacts/domain/contact-change';
import { newContact } from '#contacts/domain/new-contact';
import { claimIdentity, recognizeContact, touchContact } from '#contacts/store/contacts';
import type { ContactId } from '#core/ids';
import { phoneKey } from '#core/phone/phone-key';
import type { InboundRow } from '#inbound/store/inbound-batch';

/** Gives the contact of a row that was handed in. */
export type SenderOf = (row: InboundRow) => ContactId;

/**
 * The contacts of senders, made when there are none, with what the messages say of them: what they call themselves,
 * and STOP or START. In one order of senders, so that two batches with the same people never wait for each other in a
 * circle.
 */
export async function resolveContacts(work: ContactWork, rows: readonly InboundRow[]): Promise<SenderOf> {
  const bySender = new Map<string, InboundRow[]>();
  for (const row of rows) bySender.set(senderKey(row), [...(bySender.get(senderKey(row)) ?? []), row]);
  const contacts = new Map<string, ContactId>();
  for (const key of [...bySender.keys()].sort()) {
    const ofSender = bySender.get(key) ?? [];
    const save = await recogniseSender(work, ofSender);
    if (save !== null) contacts.set(key, save.after.contactId);
    const [first] = ofSender;
    if (save !== null && first !== undefined) await saveSender(work, first, save);
  }
  return (row) => contacts.get(senderKey(row)) ?? unknownSender(row);
}

function unknownSender(row: InboundRow): never {
  throw new Error(`The sender of ${row.networkMessageId} was not recognised.`);
}

function senderKey(row: InboundRow): string {
  return `${row.tenantId}/${row.phone === null ? `u/${row.userId}` : `p/${phoneKey(row.phone)}`}`;
}

async function recogniseSender(work: ContactWork, rows: readonly InboundRow[]): Promise<ContactSave | null> {
  const last = rows.at(-1);
  if (last === undefined) return null;
  const known = (await recognizeContact(work.tx, last.tenantId, last)) ?? (await makeContact(work, last));
  const before = 'fresh' in known ? null : known;
  const now = 'fresh' in known ? known.fresh : known;
  const said = consentOf(rows, now);
  const after = applyContactChange(now, { ...detailsOf(rows, now), ...said?.change }, work.nowMs);
  const fresh = before === null ? { ...after, version: 1 } : after;
  return { before, after: fresh, ...(said === null ? {} : { proof: said.proof }) };
}

/**
 * A contact that is not stored yet, with its identities claimed; or the one that another request created in the
 * meantime.
 */
async function makeContact(work: ContactWork, row: InboundRow): Promise<Contact | { readonly fresh: Contact }> {
  const { tx, rt, nowMs } = work;
  const contactId = rt.newId<ContactId>();
  const [kind, value] = row.phone === null ? (['user_id', row.userId] as const) : (['phone', row.phone] as const);
  const owner = await claimIdentity(tx, { tenantId: row.tenantId, kind, value: value ?? '', contactId });
  if (owner === contactId) return { fresh: newContact(contactId, nowMs) };
  const made = await recognizeContact(tx, row.tenantId, row);
  if (made === null) throw new Error(`The contact ${owner} of an identity is gone.`);
  return made;
}

/** The newest that the messages say of their sender. The network's spelling of the number wins: replies go there. */
function detailsOf(rows: readonly InboundRow[], contact: Contact): ContactChange {
  const newest = <T>(read: (row: InboundRow) => T | null, now: T | null): T | null =>
    rows.map(read).findLast((value) => value !== null) ?? now;
  const said = rows.filter((row) => row.opensWindow);
  return {
    phone: newest((row) => row.phone, contact.phone),
    userId: newest((row) => row.userId, contact.userId),
    profileName: newest((row) => row.profileName, contact.profileName),
    username: newest((row) => row.username, contact.username),
    ...(said.length === 0 ? {} : { lastInboundMs: Math.max(...said.map((row) => row.networkMs)) }),
  };
}

/** The last STOP or START of the messages; START only takes a STOP back, it is not consent. */
function consentOf(rows: readonly InboundRow[], contact: Contact) {
  let marketing = contact.consent.marketing;
  let proof = null;
  for (const row of rows) {
    const word = row.body === null || !row.opensWindow ? null : consentWord(row.body);
    if (word === null || (word === 'start' && marketing !== 'denied')) continue;
    marketing = word === 'stop' ? 'denied' : 'granted';
    proof = { source: 'message', wording: row.body, messageId: row.messageId };
  }
  return proof === null ? null : { change: { marketing, consentSource: 'message' }, proof };
}

async function saveSender(work: ContactWork, row: InboundRow, save: ContactSave): Promise<void> {
  const { before, after } = save;
  const { tenantId } = row;
  const { contactId } = after;
  if (after.userId !== null && after.userId !== before?.userId) {
    await claimIdentity(work.tx, { tenantId, kind: 'user_id', value: after.userId, contactId });
  }
  if (after.phone !== null && after.phone !== before?.phone) {
    await claimIdentity(work.tx, { tenantId, kind: 'phone', value: after.phone, contactId });
  }
  // Most messages say nothing new of their sender: then only the time is recorded, and no version is used up.
  if (before !== null && sameButTime(before, after)) {
    if (after.lastInboundMs !== null) await touchContact(work.tx, tenantId, contactId, after.lastInboundMs);
    return;
  }
  await saveContacts(work, tenantId, [save]);
}

function sameButTime(before: Contact, after: Contact): boolean {
  const { lastInboundMs: _time, updatedMs: _updated, version: _version, ...now } = after;
  const { lastInboundMs: _then, updatedMs: _was, version: _old, ...then } = before;
  return JSON.stringify(now) === JSON.stringify(then);
}
