import type { ConsentProof, Contact } from '#contacts/domain/contact';
import { contactChanges, contactJson } from '#contacts/domain/contact-json';
import { addConsents, type ConsentEntry } from '#contacts/store/contact-consents';
import { writeContacts } from '#contacts/store/contacts';
import { findWaitingFor, setSuppressions } from '#contacts/store/suppressions';
import { deliveryErrors } from '#core/delivery-errors';
import type { ConsentId, MessageId, TenantId } from '#core/ids';
import { phoneSpellings } from '#core/phone/phone-key';
import type { Transaction } from '#database/database';
import { type EventSink, emitChanges } from '#events/actions/with-events';
import type { EventType } from '#events/domain/event';
import { type DeliveryError, priorityRank, type TraceEntry } from '#messages/domain/message';
import { cancelQueued } from '#messages/store/dead-letters';
import type { Runtime } from '#runtime/runtime';

/** What a transaction that changes contacts works with. */
export interface ContactWork {
  readonly rt: Runtime;
  readonly tx: Transaction;
  readonly events: EventSink;
  readonly nowMs: number;
}

/** One contact to store: locked by the caller, or new. */
export interface ContactSave {
  readonly before: Contact | null;
  readonly after: Contact;
  /** What proves a change of consent. */
  readonly proof?: ConsentProof;
}

/**
 * Messages canceled in the transaction that suppresses their recipient. No use case has more waiting for one person.
 */
const MAX_CANCELLED = 1_000;

/**
 * Stores contacts with all that follows from their change, in one transaction: the ledger of consent, the list of
 * suppressed recipients, messages that wait and may no longer leave, and the events.
 */
export async function saveContacts(
  work: ContactWork,
  tenantId: TenantId,
  saves: readonly ContactSave[],
): Promise<void> {
  const changed = saves.filter(({ before, after }) => before !== after);
  if (changed.length === 0) return;
  const contacts = changed.map(({ after }) => after);
  await writeContacts(work.tx, tenantId, contacts);
  await recordConsents(work, tenantId, changed);
  for (const save of changed) emitChange(work.events, tenantId, save);
  await suppress(work, tenantId, changed);
}

async function recordConsents(work: ContactWork, tenantId: TenantId, saves: readonly ContactSave[]): Promise<void> {
  const entries = saves.flatMap(({ before, after, proof }): readonly ConsentEntry[] => {
    const { marketing, source } = after.consent;
    if (marketing === (before?.consent.marketing ?? 'unknown')) return [];
    const proven = proof ?? { source: source ?? 'api', wording: null, messageId: null };
    const entryId = work.rt.newId<ConsentId>();
    return [{ ...proven, entryId, contactId: after.contactId, marketing, recordedMs: work.nowMs }];
  });
  if (entries.length > 0) await addConsents(work.tx, tenantId, entries);
}

/** Fields whose change has a separate event. */
const OWN_EVENT: ReadonlySet<string> = new Set(['status', 'consent']);

function emitChange(events: EventSink, tenantId: TenantId, { before, after }: ContactSave): void {
  const emit = (type: EventType, data = {}) => events.add({ tenantId, type, data: { ...contactJson(after), ...data } });
  if (before === null) emit('contact.created');
  const changes = before === null ? {} : contactChanges(before, after);
  if (Object.keys(changes).some((field) => !OWN_EVENT.has(field))) emit('contact.updated', { changes });
  const was = before?.consent.marketing ?? 'unknown';
  if (after.consent.marketing !== was && after.consent.marketing === 'denied') emit('contact.opted_out');
  if (after.consent.marketing !== was && after.consent.marketing === 'granted') emit('contact.opted_in');
  if (after.status !== (before?.status ?? 'active')) {
    emit(after.status === 'blocked' ? 'contact.blocked' : 'contact.unblocked');
  }
}

async function suppress(work: ContactWork, tenantId: TenantId, saves: readonly ContactSave[]): Promise<void> {
  const changed = saves.filter(({ before, after }) => {
    const isMoved = before !== null && (before.phone !== after.phone || before.userId !== after.userId);
    const moved = isMoved && (isBlocked(after) || hasOptedOut(after));
    return moved || isBlocked(before) !== isBlocked(after) || hasOptedOut(before) !== hasOptedOut(after);
  });
  const contacts = changed.map(({ after }) => after);
  await suppressNumbers(work, tenantId, contacts);
}

/** Makes all numbers and user ids of these contacts what the contacts are, and cancels what waits for those that are silent. */
export async function suppressNumbers(
  work: ContactWork,
  tenantId: TenantId,
  contacts: readonly Contact[],
): Promise<void> {
  for (const blocked of [false, true]) {
    const group = contacts.filter((contact) => isBlocked(contact) === blocked);
    if (group.length === 0) continue;
    const wanted = group.map((one) => ({ contactId: one.contactId, blocked, optedOut: hasOptedOut(one) }));
    const keys = await setSuppressions(work.tx, tenantId, wanted);
    const phones = keys.flatMap((key) => phoneSpellings(key));
    if (phones.length > 0) await cancelWaiting(work, { tenantId, phones, all: blocked });
  }
}

function isBlocked(contact: Contact | null): boolean {
  return contact?.status === 'blocked';
}

function hasOptedOut(contact: Contact | null): boolean {
  return contact?.consent.marketing === 'denied';
}

/** @param all else only marketing */
async function cancelWaiting(
  work: ContactWork,
  wanted: { readonly tenantId: TenantId; readonly phones: readonly string[]; readonly all: boolean },
): Promise<void> {
  const ids = await findWaitingFor(work.tx, { ...wanted, bulkRank: priorityRank.bulk, limit: MAX_CANCELLED });
  await cancelMessages(work, wanted.tenantId, ids, wanted.all ? 'contact_blocked' : 'contact_opted_out');
}

/** Cancels messages that wait. What a dispatcher has claimed in the meantime is refused by the claim of its next attempt. */
export async function cancelMessages(
  { tx, events, nowMs }: Omit<ContactWork, 'rt'>,
  tenantId: TenantId,
  messageIds: readonly MessageId[],
  code: 'contact_blocked' | 'contact_opted_out' | 'contact_erased',
): Promise<void> {
  const message = deliveryErrors[code];
  const error: DeliveryError = { code, message, networkCode: null, retryable: false };
  const trace: TraceEntry = { atMs: nowMs, event: 'canceled', detail: message };
  const texts = { error: JSON.stringify(error), trace: JSON.stringify([trace]) };
  for (const messageId of messageIds) {
    const change = await cancelQueued(tx, { tenantId, messageId, nowMs, ...texts });
    if (change) emitChanges(events, [change]);
  }
}
