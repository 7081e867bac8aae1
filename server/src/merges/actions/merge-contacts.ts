import { audit } from '#access/actions/audit';
import { requireVersion } from '#access/actions/require-version';
import type { ContactRequest } from '#contacts/actions/manage-contacts';
import {
  blockAtNetwork,
  type ContactWork,
  isSilent,
  saveContacts,
  suppressNumbers,
} from '#contacts/actions/save-contacts';
import type { Contact } from '#contacts/domain/contact';
import { contactJson } from '#contacts/domain/contact-json';
import type { Actor } from '#core/caller/actor';
import type { Requester } from '#core/caller/origin';
import { ApiProblem } from '#core/errors';
import type { MergeId } from '#core/ids';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import { mergeContact } from '#merges/domain/contact-merge';
import {
  addMerge,
  lockForMerge,
  type MergeableContact,
  markMerged,
  moveIdentities,
} from '#merges/store/contact-merges';
import { findConversationIds, moveMessages } from '#merges/store/merged-conversations';
import type { Runtime } from '#runtime/runtime';
import { joinConversations } from './merge-conversations.ts';

export interface MergeRequest extends ContactRequest, Requester {
  /** The contact that becomes part of the other. */
  readonly mergedId: string;
  readonly actor: Actor;
}

/** Two contacts that the caller holds, and who finds them to be one person. */
export interface LockedPair extends Requester {
  readonly survivor: Contact;
  readonly merged: Contact;
  readonly actor: Actor;
}

/**
 * Makes one contact part of another, in one transaction: what it is recognised by, what is known of it, its
 * conversations and their messages are the survivor's from then on. Contacts are locked first, as inbound messages do,
 * then messages, then conversations.
 * @returns the survivor
 * @throws ApiProblem not_found, validation_failed, contact_merged, precondition_failed
 */
export function mergeContacts(rt: Runtime, db: Database, request: MergeRequest): Promise<Contact> {
  const { tenantId, origin, actor } = request;
  return withEvents(rt, db, async (tx, events) => {
    const work: ContactWork = { rt, tx, events, nowMs: rt.clock.now() };
    return mergeLocked(work, { tenantId, origin, actor, ...(await requirePair(work, request)) });
  });
}

/** The same in the transaction of the caller, who holds both contacts. */
export async function mergeLocked(
  work: ContactWork,
  { tenantId, origin, actor, ...two }: LockedPair,
): Promise<Contact> {
  const { rt, tx, events } = work;
  const { survivor, merged } = two;
  const pair = { tenantId, survivorId: survivor.contactId, mergedId: merged.contactId, actor };
  const move = { tenantId, from: merged.contactId, to: survivor.contactId };
  const after = mergeContact(survivor, merged, work.nowMs);
  await markMerged(tx, tenantId, merged.contactId, survivor.contactId);
  const { phoneKeys, userIds } = await moveIdentities(tx, move);
  const proof = { source: 'merge', wording: null, messageId: null };
  await saveContacts(work, tenantId, [{ before: survivor, after, proof }]);
  if (isSilent(after)) await suppressNumbers(work, tenantId, [after]);
  const moving = await findConversationIds(tx, tenantId, merged.contactId);
  await moveMessages(tx, move, { conversations: moving, phoneKeys, userIds });
  const joined = await joinConversations(work, pair);
  // The other's numbers are the survivor's from here on.
  if (after.status === 'blocked') await blockAtNetwork(work, tenantId, [after]);
  const state = { before: survivor, after, externalId: merged.externalId, phoneKeys, userIds, ...joined };
  const mergeId = rt.newId<MergeId>();
  await addMerge(tx, tenantId, { ...pair, mergeId, mergedMs: work.nowMs, state });
  const details = { merge_id: mergeId, merged_contact_id: merged.contactId };
  await audit(rt, tx, { tenantId, origin, action: 'contact.merged', targetId: after.contactId, details });
  events.add({ tenantId, type: 'contact.merged', data: { ...contactJson(after), ...details } });
  return after;
}

async function requirePair(
  { tx }: ContactWork,
  { tenantId, contactId, mergedId, versions }: MergeRequest,
): Promise<{ readonly survivor: Contact; readonly merged: Contact }> {
  const found = await lockForMerge(tx, tenantId, [contactId, mergedId]);
  const survivor = found.get(contactId);
  if (survivor === undefined) throw new ApiProblem('not_found');
  const merged = found.get(mergedId);
  if (merged === undefined) throw wrongContact('contact_id does not name a contact of this tenant');
  if (contactId === mergedId) throw wrongContact('contact_id must be another contact');
  requireOwn(survivor);
  requireOwn(merged);
  requireVersion('contact', survivor.contact, versions);
  return { survivor: survivor.contact, merged: merged.contact };
}

function wrongContact(message: string): ApiProblem {
  const details = [{ path: 'body.contact_id', message }];
  return new ApiProblem('validation_failed', { sentence: `${message}.`, details });
}

function requireOwn({ contact, mergedInto }: MergeableContact): void {
  if (mergedInto === null) return;
  const sentence = `Contact ${contact.contactId} is already part of contact ${mergedInto}.`;
  throw new ApiProblem('contact_merged', { sentence });
}
