import { requireVersion } from '#access/actions/require-version';
import type { ConsentProof, Contact, Marketing } from '#contacts/domain/contact';
import { applyContactChange, type ContactChange } from '#contacts/domain/contact-change';
import { isFormer } from '#contacts/domain/contact-identity';
import { newContact } from '#contacts/domain/new-contact';
import { findIdentitiesOf, takeIdentityBack } from '#contacts/store/contact-identities';
import {
  claimIdentity,
  lockByExternalId,
  lockContact,
  recognizeContact,
  releaseIdentity,
} from '#contacts/store/contacts';
import { ApiProblem } from '#core/errors';
import type { ContactId, TenantId } from '#core/ids';
import { phoneKey } from '#core/phone/phone-key';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import { findMessage } from '#messages/store/message-reads';
import type { Runtime } from '#runtime/runtime';
import { checkAttributes } from './check-attributes.ts';
import { type ContactWork, saveContacts } from './save-contacts.ts';

/** A request that changes a contact. */
export interface ContactRequest {
  readonly tenantId: TenantId;
  readonly contactId: string;
  /** From If-Match; null: any version. */
  readonly versions: readonly number[] | null;
}

export interface NewContactRequest {
  readonly tenantId: TenantId;
  /** What to do when there is such a contact. */
  readonly onConflict: 'refuse' | 'update';
}

export interface MadeContact {
  readonly contact: Contact;
  readonly created: boolean;
}

/**
 * Makes a contact, or changes the one with this number, user id or external id when that is wished.
 * @throws ApiProblem contact_exists, validation_failed for attributes that are not defined
 */
export function createContact(
  rt: Runtime,
  db: Database,
  { tenantId, onConflict }: NewContactRequest,
  wish: ContactChange,
): Promise<MadeContact> {
  return withEvents(rt, db, async (tx, events) => {
    const work: ContactWork = { rt, tx, events, nowMs: rt.clock.now() };
    await checkAttributes(tx, tenantId, wish.attributes);
    const known = await findSame(work, tenantId, wish);
    if (known !== null && onConflict === 'refuse') throw existsProblem(known.contactId);
    if (known !== null) {
      const own = await withoutFormer(work, { tenantId, before: known }, wish);
      return { contact: await change(work, { tenantId, before: known }, own), created: false };
    }
    const fresh = newContact(rt.newId<ContactId>(), work.nowMs);
    const after = { ...applyContactChange(fresh, wish, work.nowMs), version: 1 };
    await claimIdentities(work, tenantId, null, after);
    await saveContacts(work, tenantId, [{ before: null, after }]);
    return { contact: after, created: true };
  });
}

async function findSame({ tx }: ContactWork, tenantId: TenantId, wish: ContactChange): Promise<Contact | null> {
  const { phone = null, userId = null, externalId = null } = wish;
  const known = await recognizeContact(tx, tenantId, { phone, userId });
  return known ?? (externalId === null ? null : lockByExternalId(tx, tenantId, externalId));
}

/**
 * A wish that found its contact by a number or user id which the contact gave up: that is how it was found, and nothing to write to.
 * A list of customers that is not up to date must not bring a dead number back.
 */
async function withoutFormer(
  { tx }: ContactWork,
  { tenantId, before }: Changing,
  { phone, userId, ...others }: ContactChange,
): Promise<ContactChange> {
  const isKept = (value: string | null | undefined, now: string | null) => value === undefined || value === now;
  if (isKept(phone, before.phone) && isKept(userId, before.userId)) return others;
  const former = (await findIdentitiesOf(tx, tenantId, before.contactId)).filter(isFormer);
  const isUsed = (value: string | null) =>
    value === null || former.every((identity) => identity.value !== phoneKey(value));
  return {
    ...others,
    ...(phone === undefined || !isUsed(phone) ? {} : { phone }),
    ...(userId === undefined || !isUsed(userId) ? {} : { userId }),
  };
}

/** @throws ApiProblem contact_exists when the number in any spelling, or the user id, is another contact's */
async function claimIdentities(
  { tx, nowMs }: ContactWork,
  tenantId: TenantId,
  before: Contact | null,
  after: Contact,
): Promise<void> {
  const { contactId } = after;
  const changes = [
    { kind: 'phone', was: before?.phone ?? null, value: after.phone },
    { kind: 'user_id', was: before?.userId ?? null, value: after.userId },
  ] as const;
  for (const { kind, was, value } of changes) {
    if (value === was) continue;
    if (was !== null) await releaseIdentity(tx, { tenantId, kind, value: was, contactId });
    if (value === null) continue;
    const owner = await claimIdentity(tx, { tenantId, kind, value, contactId });
    if (owner !== contactId) throw existsProblem(owner);
    if (before !== null) await takeIdentityBack(tx, { tenantId, contactId }, { kind, value }, nowMs);
  }
}

function existsProblem(contactId: string): ApiProblem {
  const sentence = `The contact ${contactId} already has this phone number, user ID or external ID.`;
  return new ApiProblem('contact_exists', { sentence });
}

interface Changing {
  readonly tenantId: TenantId;
  readonly before: Contact;
  readonly proof?: ConsentProof;
}

async function change(work: ContactWork, changing: Changing, wish: ContactChange): Promise<Contact> {
  const { tenantId, before, proof } = changing;
  const after = applyContactChange(before, wish, work.nowMs);
  if (after === before) return before;
  if (after.externalId !== null && after.externalId !== before.externalId) {
    const other = await lockByExternalId(work.tx, tenantId, after.externalId);
    if (other !== null && other.contactId !== before.contactId) throw existsProblem(other.contactId);
  }
  await claimIdentities(work, tenantId, before, after);
  await saveContacts(work, tenantId, [{ before, after, ...(proof === undefined ? {} : { proof }) }]);
  return after;
}

/**
 * Changes what people keep of a contact.
 * @throws ApiProblem not_found, precondition_failed, contact_exists, validation_failed
 */
export function updateContact(
  rt: Runtime,
  db: Database,
  request: ContactRequest,
  wish: ContactChange,
  proof?: ConsentProof,
): Promise<Contact> {
  return withEvents(rt, db, async (tx, events) => {
    const work: ContactWork = { rt, tx, events, nowMs: rt.clock.now() };
    const before = await requireContact(work, request);
    await checkAttributes(tx, request.tenantId, wish.attributes);
    const { tenantId } = request;
    return change(work, { tenantId, before, ...(proof === undefined ? {} : { proof }) }, wish);
  });
}

/** Locks a contact. @throws ApiProblem not_found, precondition_failed */
export async function requireContact({ tx }: ContactWork, request: ContactRequest): Promise<Contact> {
  return requireVersion('contact', await lockContact(tx, request.tenantId, request.contactId), request.versions);
}

export interface ConsentInput {
  readonly marketing: Marketing;
  readonly proof: ConsentProof;
}

/**
 * Records what a contact agreed to, with its proof.
 * @throws ApiProblem not_found, validation_failed for a proof that is not a message of this tenant
 */
export async function setConsent(
  rt: Runtime,
  db: Database,
  request: ContactRequest,
  { marketing, proof }: ConsentInput,
): Promise<Contact> {
  if (proof.messageId !== null && (await findMessage(db, request.tenantId, proof.messageId)) === null) {
    const message = 'message_id does not name a message of this tenant';
    const details = [{ path: 'body.message_id', message }];
    throw new ApiProblem('validation_failed', { sentence: `${message}.`, details });
  }
  return updateContact(rt, db, request, { marketing, consentSource: proof.source }, proof);
}
