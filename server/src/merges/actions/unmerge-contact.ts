import { audit } from '#access/actions/audit';
import { type ContactWork, isSilent, saveContacts, suppressNumbers } from '#contacts/actions/save-contacts';
import type { Contact } from '#contacts/domain/contact';
import { contactJson } from '#contacts/domain/contact-json';
import { claimIdentity, findContact, lockByExternalId } from '#contacts/store/contacts';
import type { Actor } from '#core/caller/actor';
import type { Requester } from '#core/caller/origin';
import { ApiProblem } from '#core/errors';
import type { ContactId, TenantId } from '#core/ids';
import type { Database, Transaction } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import { type Apart, type MergeState, unmergeContact } from '#merges/domain/contact-merge';
import {
  type ContactMerge,
  endMerge,
  findCurrentMerge,
  findLastMerge,
  lockForMerge,
  type Move,
  markMerged,
  returnIdentities,
} from '#merges/store/contact-merges';
import { findOpenedSince, moveMessages, resetLastInbound } from '#merges/store/merged-conversations';
import type { Runtime } from '#runtime/runtime';
import { partConversations } from './merge-conversations.ts';

export interface UnmergeRequest extends Requester {
  /** The contact that is to be separate again. */
  readonly contactId: string;
  readonly actor: Actor;
}

/** Both contacts, locked, and the merge that binds them. */
interface Bound {
  readonly merge: ContactMerge;
  readonly state: MergeState;
  readonly survivor: Contact;
  readonly merged: Contact;
}

/**
 * Undoes a merge, in one transaction. Merges of one survivor are undone from the last one on: only then it is known
 * what belongs to which.
 * @returns the contact that is separate again
 * @throws ApiProblem not_found, contact_not_merged, merge_not_last
 */
export function unmergeContacts(rt: Runtime, db: Database, request: UnmergeRequest): Promise<Contact> {
  const { tenantId, origin, actor } = request;
  return withEvents(rt, db, async (tx, events) => {
    const work: ContactWork = { rt, tx, events, nowMs: rt.clock.now() };
    const bound = await requireBound(work, request);
    const { merge, state, survivor } = bound;
    const pair = { tenantId, survivorId: merge.survivorId, mergedId: merge.mergedId, actor };
    const move = { tenantId, from: merge.survivorId, to: merge.mergedId };
    await returnIdentities(tx, move, state);
    const apart = await ownable(work, tenantId, unmergeContact(state, survivor, bound.merged, work.nowMs));
    await writeApart(work, tenantId, bound, apart);
    const since = await findOpenedSince(tx, { ...sinceMerge(bound, tenantId), ...state });
    const returned = [...state.conversations, ...since];
    await moveMessages(tx, move, { ...state, conversations: returned });
    await partConversations(work, pair, { resolved: state.resolved, returned });
    await resetInbounds(tx, move, bound);
    await endMerge(tx, tenantId, merge.mergeId, work.nowMs);
    const details = { merge_id: merge.mergeId, survivor_id: merge.survivorId };
    await audit(rt, tx, { tenantId, origin, action: 'contact.unmerged', targetId: merge.mergedId, details });
    events.add({ tenantId, type: 'contact.unmerged', data: { ...contactJson(apart.other), ...details } });
    return (await findContact(tx, tenantId, merge.mergedId)) ?? apart.other;
  });
}

function sinceMerge({ merge, state }: Bound, tenantId: TenantId) {
  return { tenantId, contactId: merge.survivorId, sinceMs: merge.mergedMs, known: state.conversations };
}

async function requireBound({ tx }: ContactWork, { tenantId, contactId }: UnmergeRequest): Promise<Bound> {
  const known = await findCurrentMerge(tx, tenantId, contactId);
  if (known === null) throw await notMerged(tx, tenantId, contactId);
  const found = await lockForMerge(tx, tenantId, [known.survivorId, known.mergedId]);
  const [survivor, merged] = [found.get(known.survivorId), found.get(known.mergedId)];
  // Read again under the locks: the merge may have been undone in the meantime.
  const merge = await findCurrentMerge(tx, tenantId, contactId);
  if (merge?.mergeId !== known.mergeId || merge.state === null || survivor === undefined || merged === undefined) {
    throw await notMerged(tx, tenantId, contactId);
  }
  if (survivor.mergedInto !== null) throw laterFirst(known.survivorId, survivor.mergedInto);
  const last = await findLastMerge(tx, tenantId, known.survivorId);
  if (last !== null && last.mergeId !== merge.mergeId) throw laterFirst(last.mergedId, last.survivorId);
  return { merge, state: merge.state, survivor: survivor.contact, merged: merged.contact };
}

async function notMerged(tx: Transaction, tenantId: TenantId, contactId: string): Promise<ApiProblem> {
  return new ApiProblem((await findContact(tx, tenantId, contactId)) === null ? 'not_found' : 'contact_not_merged');
}

function laterFirst(mergedId: ContactId, survivorId: ContactId): ApiProblem {
  const sentence = `Contact ${mergedId} has since been merged into ${survivorId}. Unmerge it first.`;
  return new ApiProblem('merge_not_last', { sentence });
}

/** Without what others have by now: a number or a name that was released while the two were one. */
async function ownable(work: ContactWork, tenantId: TenantId, { survivor, other }: Apart): Promise<Apart> {
  return { survivor: await withOwned(work, tenantId, survivor), other: await withOwned(work, tenantId, other) };
}

async function withOwned({ tx }: ContactWork, tenantId: TenantId, contact: Contact): Promise<Contact> {
  const owned = async (kind: 'phone' | 'user_id', value: string | null) => {
    if (value === null) return null;
    const owner = await claimIdentity(tx, { tenantId, kind, value, contactId: contact.contactId });
    return owner === contact.contactId ? value : null;
  };
  const phone = await owned('phone', contact.phone);
  const userId = await owned('user_id', contact.userId);
  return phone === contact.phone && userId === contact.userId ? contact : { ...contact, phone, userId };
}

async function writeApart(
  work: ContactWork,
  tenantId: TenantId,
  { survivor, merged }: Bound,
  apart: Apart,
): Promise<void> {
  const proof = { source: 'unmerge', wording: null, messageId: null };
  // The survivor first: it gives up an external id that may be the other's.
  await saveContacts(work, tenantId, [{ before: survivor, after: apart.survivor, proof }]);
  await markMerged(work.tx, tenantId, merged.contactId, null);
  const { externalId } = apart.other;
  const holder = externalId === null ? null : await lockByExternalId(work.tx, tenantId, externalId);
  const other = holder === null ? apart.other : { ...apart.other, externalId: null };
  await saveContacts(work, tenantId, [{ before: merged, after: other, proof }]);
  if (isSilent(survivor)) await suppressNumbers(work, tenantId, [apart.survivor, other]);
}

/** A contact's time is never set back by a save: here it is. */
async function resetInbounds(tx: Transaction, { tenantId, from, to }: Move, { state, merged }: Bound): Promise<void> {
  await resetLastInbound(tx, tenantId, from, state.before.lastInboundMs);
  await resetLastInbound(tx, tenantId, to, merged.lastInboundMs);
}
