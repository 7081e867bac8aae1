import { type ConsentProof, type Contact, type NumberConsent, stoppedNumbers } from '#contacts/domain/contact';
import { contactChanges, contactJson } from '#contacts/domain/contact-json';
import { addConsents, type ConsentEntry } from '#contacts/store/contact-consents';
import { writeContacts } from '#contacts/store/contacts';
import { wantNetworkBlocks } from '#contacts/store/network-blocks';
import { type ContactSuppression, findWaitingFor, setSuppressions } from '#contacts/store/suppressions';
import { deliveryErrors } from '#core/delivery-errors';
import type { ConsentId, MessageId, TenantId } from '#core/ids';
import { phoneKey, phoneSpellings } from '#core/phone/phone-key';
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
    const proven = proof ?? { source: source ?? 'api', wording: null, messageId: null };
    const isNew = marketing !== (before?.consent.marketing ?? 'unknown');
    const changes = [...(isNew ? [{ marketing, phoneNumberId: null }] : []), ...numberChanges(before, after)];
    const { contactId } = after;
    return changes.map((change) => {
      return { ...proven, ...change, entryId: work.rt.newId<ConsentId>(), contactId, recordedMs: work.nowMs };
    });
  });
  if (entries.length > 0) await addConsents(work.tx, tenantId, entries);
}

/** What changed about marketing from single numbers; that one was never stopped is no change. */
function numberChanges(
  before: Contact | null,
  after: Contact,
): readonly Pick<NumberConsent, 'phoneNumberId' | 'marketing'>[] {
  const was = new Map(before?.consent.numbers.map((one) => [one.phoneNumberId, one.marketing]));
  return after.consent.numbers.flatMap(({ phoneNumberId, marketing }) =>
    (was.get(phoneNumberId) ?? 'granted') === marketing ? [] : [{ phoneNumberId, marketing }],
  );
}

/** Fields whose change has a separate event. */
const OWN_EVENT: ReadonlySet<string> = new Set(['status', 'consent']);

const OF_ALL_NUMBERS = { phone_number_id: null };

function emitChange(events: EventSink, tenantId: TenantId, { before, after }: ContactSave): void {
  const emit = (type: EventType, data = {}) => events.add({ tenantId, type, data: { ...contactJson(after), ...data } });
  if (before === null) emit('contact.created');
  const changes = before === null ? {} : contactChanges(before, after);
  if (Object.keys(changes).some((field) => !OWN_EVENT.has(field))) emit('contact.updated', { changes });
  const was = before?.consent.marketing ?? 'unknown';
  if (after.consent.marketing !== was && after.consent.marketing === 'denied')
    emit('contact.opted_out', OF_ALL_NUMBERS);
  if (after.consent.marketing !== was && after.consent.marketing === 'granted')
    emit('contact.opted_in', OF_ALL_NUMBERS);
  for (const { phoneNumberId, marketing } of numberChanges(before, after)) {
    emit(marketing === 'denied' ? 'contact.opted_out' : 'contact.opted_in', { phone_number_id: phoneNumberId });
  }
  if (after.status !== (before?.status ?? 'active')) {
    emit(after.status === 'blocked' ? 'contact.blocked' : 'contact.unblocked');
  }
}

async function suppress(work: ContactWork, tenantId: TenantId, saves: readonly ContactSave[]): Promise<void> {
  const changed = saves.filter(({ before, after }) => {
    const isMoved = before !== null && (before.phone !== after.phone || before.userId !== after.userId);
    const moved = isMoved && isSilent(after);
    const stops = numberChanges(before, after).length > 0;
    return moved || stops || isBlocked(before) !== isBlocked(after) || hasOptedOut(before) !== hasOptedOut(after);
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
  const groups = new Map<string, Contact[]>();
  for (const contact of contacts) {
    const key = JSON.stringify(silenceOf(contact));
    groups.set(key, [...(groups.get(key) ?? []), contact]);
  }
  for (const group of groups.values()) {
    const wanted = group.map((contact) => ({ contactId: contact.contactId, ...silenceOf(contact) }));
    const [silence] = wanted;
    if (silence === undefined) continue;
    const keys = await setSuppressions(work.tx, tenantId, wanted);
    const phones = keys.flatMap((key) => phoneSpellings(key));
    if (phones.length > 0) await cancelWaiting(work, { tenantId, phones, ...silence });
  }
  await blockAtNetwork(work, tenantId, contacts);
}

/** Notes what the network is to be told of these contacts, as they are stored with their conversations. A worker tells it. */
export async function blockAtNetwork(
  { tx, nowMs }: Pick<ContactWork, 'tx' | 'nowMs'>,
  tenantId: TenantId,
  contacts: readonly Contact[],
): Promise<void> {
  const wanted = contacts.map((contact) => ({
    contactId: contact.contactId,
    isBlocked: isBlocked(contact),
    phone: contact.phone,
    phoneKey: contact.phone === null ? null : phoneKey(contact.phone),
  }));
  if (wanted.length > 0) await wantNetworkBlocks(tx, tenantId, wanted, nowMs);
}

type Silence = Omit<ContactSuppression, 'contactId'>;

function silenceOf(contact: Contact): Silence {
  return {
    blocked: isBlocked(contact),
    optedOut: hasOptedOut(contact),
    stoppedNumbers: stoppedNumbers(contact),
  };
}

/** Whether some messages to it are refused. */
export function isSilent(contact: Contact): boolean {
  return isBlocked(contact) || hasOptedOut(contact) || stoppedNumbers(contact).length > 0;
}

function isBlocked(contact: Contact | null): boolean {
  return contact?.status === 'blocked';
}

function hasOptedOut(contact: Contact | null): boolean {
  return contact?.consent.marketing === 'denied';
}

/** Whoever is blocked gets nothing of what waits; others no marketing, from any number or from those that they stopped. */
async function cancelWaiting(
  work: ContactWork,
  {
    tenantId,
    phones,
    blocked,
    optedOut,
    stoppedNumbers: stopped,
  }: Silence & { readonly tenantId: TenantId; readonly phones: readonly string[] },
): Promise<void> {
  const from = blocked || optedOut ? null : stopped;
  const wanted = { tenantId, phones, all: blocked, from, bulkRank: priorityRank.bulk, limit: MAX_CANCELLED };
  const ids = await findWaitingFor(work.tx, wanted);
  await cancelMessages(work, tenantId, ids, blocked ? 'contact_blocked' : 'contact_opted_out');
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
