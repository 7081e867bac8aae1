import { type ContactSave, saveContacts, suppressNumbers } from '#contacts/actions/save-contacts';
import { consentWord } from '#contacts/domain/consent-words';
import type { Contact } from '#contacts/domain/contact';
import { applyContactChange, type ContactChange } from '#contacts/domain/contact-change';
import { type HeldIdentity, hasChangedHands, isFormer } from '#contacts/domain/contact-identity';
import { newContact } from '#contacts/domain/new-contact';
import {
  type IdentityName,
  noteIdentityTime,
  type RecognisedContact,
  recognizeAll,
} from '#contacts/store/contact-identities';
import { releaseIdentity, touchContact } from '#contacts/store/contacts';
import type { ContactId, TenantId } from '#core/ids';
import { phoneKey } from '#core/phone/phone-key';
import type { InboundRow } from '#inbound/store/inbound-batch';
import {
  claimAll,
  inOrderOfNames,
  type JoinWork,
  joinContacts,
  namesNotIn,
  namesOf,
  survivorOf,
} from './join-contacts.ts';

/** Times that somebody else may take a name of a sender while its contact is looked up. */
const MAX_ROUNDS = 5;

/** Gives the contact of a row that was handed in. */
export type SenderOf = (row: InboundRow) => ContactId;

/** What one sender wrote, in the order in which it is stored. */
type Rows = readonly [InboundRow, ...InboundRow[]];

/**
 * The contacts of senders, made when there are none, with what the messages say of them: what they call themselves,
 * and STOP or START. In one order of senders, so that two batches with the same people never wait for each other in a
 * circle.
 */
export async function resolveContacts(work: JoinWork, rows: readonly InboundRow[]): Promise<SenderOf> {
  const bySender = new Map<string, Rows>();
  for (const row of rows) {
    const earlier = bySender.get(senderKey(row));
    bySender.set(senderKey(row), earlier === undefined ? [row] : [...earlier, row]);
  }
  const contacts = new Map<InboundRow, ContactId>();
  for (const key of [...bySender.keys()].sort()) {
    const ofSender = bySender.get(key);
    if (ofSender !== undefined) await resolveSender(work, ofSender, contacts);
  }
  return (row) => survivorOf(work, contacts.get(row) ?? unknownSender(row));
}

function unknownSender(row: InboundRow): never {
  throw new Error(`The sender of ${row.networkMessageId} was not recognised.`);
}

function senderKey(row: InboundRow): string {
  return `${row.tenantId}/${row.phone === null ? `u/${row.userId}` : `p/${phoneKey(row.phone)}`}`;
}

async function resolveSender(work: JoinWork, rows: Rows, contacts: Map<InboundRow, ContactId>): Promise<void> {
  const [{ tenantId }] = rows;
  const found = await recognizeAll(work.tx, tenantId, namesOf(...rows));
  const { former, later } = laterThanOwner(rows, found);
  if (former === null || later === null) return saveSender(work, rows, contacts, { found });
  const [{ networkMs: sinceMs }] = later;
  if (isStill(former, later, found)) {
    await noteIdentityTime(work.tx, { tenantId, contactId: former.contactId }, former, { sinceMs });
    return saveSender(work, rows, contacts, {});
  }
  // Somebody else has the number by now. What was written before that is still the former owner's.
  const [earliest, ...others] = rows.filter((row) => !later.includes(row));
  if (earliest !== undefined) await resolveSender(work, [earliest, ...others], contacts);
  await releaseIdentity(work.tx, { tenantId, ...former });
  await saveSender(work, later, contacts, { sinceMs });
}

/** What was written from a number after its owner had given it up. */
function laterThanOwner(
  rows: Rows,
  found: readonly RecognisedContact[],
): { readonly former: HeldIdentity | null; readonly later: Rows | null } {
  const former = found.find(({ identity }) => identity.kind === 'phone')?.identity ?? null;
  if (former === null) return { former, later: null };
  const [first, ...others] = rows.filter((row) => hasChangedHands(former, row.networkMs));
  return { former, later: first === undefined ? null : [first, ...others] };
}

/** Whether the messages show that the number is the owner's again: by the user id that the owner has now. */
function isStill(former: HeldIdentity, later: Rows, found: readonly RecognisedContact[]): boolean {
  return found.some(
    ({ identity: { kind, value, contactId, ...times } }) =>
      kind === 'user_id' &&
      contactId === former.contactId &&
      !isFormer(times) &&
      later.some(({ userId }) => value === userId),
  );
}

/** What is known of a sender before its names are looked up. */
interface Beforehand {
  /** Left out: it is looked up. */
  readonly found?: readonly RecognisedContact[];
  /** Since when the number is the sender's, if somebody else had it before. */
  readonly sinceMs?: number;
}

async function saveSender(
  work: JoinWork,
  rows: Rows,
  contacts: Map<InboundRow, ContactId>,
  beforehand: Beforehand,
): Promise<void> {
  const [{ tenantId }] = rows;
  const sender = await takeNames(work, tenantId, namesOf(...rows), beforehand);
  const save = withWords(work, rows, sender);
  for (const row of rows) contacts.set(row, sender.contactId);
  await storeSender(work, tenantId, save);
  if (save.after.status === 'blocked') work.blocked?.push({ tenantId, contact: save.after });
  // What was refused of the number's former owner is not refused of this one.
  if (beforehand.sinceMs !== undefined) await suppressNumbers(work, tenantId, [save.after]);
}

/** A sender, with all names that its messages show. */
interface Sender {
  readonly contactId: ContactId;
  /** Null: it is not stored yet. */
  readonly before: Contact | null;
  /** What of the names was known. */
  readonly held: readonly HeldIdentity[];
}

/** Gives a sender all names that its messages show together: contacts that had one of them each are one person. */
async function takeNames(
  work: JoinWork,
  tenantId: TenantId,
  names: readonly IdentityName[],
  { found: known, sinceMs }: Beforehand,
): Promise<Sender> {
  let found = known;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    found ??= await recognizeAll(work.tx, tenantId, names);
    const before = await joinContacts(work, tenantId, inOrderOfNames(names, found));
    const contactId = before?.contactId ?? work.rt.newId<ContactId>();
    const since = sinceMs === undefined ? {} : { sinceMs };
    const missing = namesNotIn(names, found).map((name) => ({ tenantId, contactId, ...name, ...since }));
    if (await claimAll(work, missing)) return { contactId, before, held: found.map(({ identity }) => identity) };
    // Somebody made a contact of one of them in the meantime: it is found now.
    if (before === null) for (const claim of missing) await releaseIdentity(work.tx, claim);
    found = undefined;
  }
  throw new Error('A sender kept changing hands while its contact was looked up.');
}

function withWords(work: JoinWork, rows: Rows, { contactId, before, held }: Sender): ContactSave & { after: Contact } {
  const now = before ?? newContact(contactId, work.nowMs);
  const said = consentOf(rows, now);
  const own = (kind: IdentityName['kind'], value: string | null) => {
    const one = value === null ? undefined : held.find((has) => has.kind === kind && has.value === phoneKey(value));
    return one === undefined || (!isFormer(one) && survivorOf(work, one.contactId) === contactId) ? value : null;
  };
  const details = detailsOf(
    rows.map((row) => ({ ...row, phone: own('phone', row.phone), userId: own('user_id', row.userId) })),
    now,
  );
  const after = applyContactChange(now, { ...details, ...said?.change }, work.nowMs);
  const fresh = before === null ? { ...after, version: 1 } : after;
  return { before, after: fresh, ...(said === null ? {} : { proof: said.proof }) };
}

/**
 * The newest that the messages say of their sender. The network's spelling of the number wins: replies go there. A name that the
 * sender has given up is not used again.
 */
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

async function storeSender(work: JoinWork, tenantId: TenantId, save: ContactSave): Promise<void> {
  const { before, after } = save;
  // Most messages say nothing new of their sender: then only the time is recorded, and no version is used up.
  if (before !== null && sameButTime(before, after)) {
    if (after.lastInboundMs !== null) await touchContact(work.tx, tenantId, after.contactId, after.lastInboundMs);
    return;
  }
  await saveContacts(work, tenantId, [save]);
}

function sameButTime(before: Contact, after: Contact): boolean {
  const { lastInboundMs: _time, updatedMs: _updated, version: _version, ...now } = after;
  const { lastInboundMs: _then, updatedMs: _was, version: _old, ...then } = before;
  return JSON.stringify(now) === JSON.stringify(then);
}
