import { audit } from '#access/actions/audit';
import { cancelMessages } from '#contacts/actions/save-contacts';
import type { Requester } from '#core/caller/origin';
import { type ErasureItem, erasureItems } from '#core/erasure';
import type { ContactId } from '#core/ids';
import type { Transaction } from '#database/database';
import { insertErasure } from '#erasure/store/contact-erasures';
import { type ErasedPerson, eraseContact, findPerson } from '#erasure/store/erase-contact';
import { eraseMessages } from '#erasure/store/erase-messages';
import type { EventSink } from '#events/actions/with-events';
import { BLOB_REMOVAL_MS } from '#media/actions/clean-up-media';
import { DELIVERIES_MS, IDEMPOTENCY_MS, retainCallbacksMs } from '#runtime/retention';
import type { Runtime } from '#runtime/runtime';

export interface ErasureWork {
  readonly rt: Runtime;
  readonly tx: Transaction;
  readonly events: EventSink;
}

export interface PersonToErase extends Requester {
  /** Locked by the caller. */
  readonly contactId: ContactId;
}

/**
 * Erases a person wherever an index leads to it, and notes what `eraseEvents` is still to search.
 * @returns what is erased, what follows, and what stays until when and why
 */
export async function erasePerson(
  { rt, tx, events }: ErasureWork,
  { tenantId, contactId, origin }: PersonToErase,
): Promise<readonly ErasureItem[]> {
  const nowMs = rt.clock.now();
  const person = await findPerson(tx, tenantId, contactId);
  const unsent = await eraseMessages(tx, person, nowMs);
  await cancelMessages({ tx, events, nowMs }, tenantId, unsent, 'contact_erased');
  await eraseContact(tx, person, nowMs);
  await insertErasure(tx, { tenantId, contactId, needles: needlesOf(person) }, nowMs);
  events.add({ tenantId, type: 'contact.deleted', data: { id: contactId } });
  await audit(rt, tx, { tenantId, origin, action: 'contact.erased', targetId: contactId, details: {} });
  const retentions = {
    callbackMs: retainCallbacksMs(rt.config),
    idempotencyMs: IDEMPOTENCY_MS,
    deliveryMs: DELIVERIES_MS,
    blobMs: BLOB_REMOVAL_MS,
  };
  return erasureItems(nowMs, retentions, person.isSuppressed);
}

/** In quotes, as they are in JSON: a number is also a part of longer ones. */
function needlesOf({ contactIds, conversationIds, addresses }: ErasedPerson): readonly string[] {
  return [...contactIds, ...conversationIds, ...addresses].map((text) => JSON.stringify(text));
}
