import { contactOfRecipient } from '#contacts/actions/contact-of-recipient';
import { type ContactWork, saveContacts } from '#contacts/actions/save-contacts';
import type { NumberConsent } from '#contacts/domain/contact';
import { applyContactChange } from '#contacts/domain/contact-change';
import { recognizeContact } from '#contacts/store/contacts';
import type { MessageId, PhoneNumberId, TenantId } from '#core/ids';
import type { PreferenceItem } from '#inbound/domain/callback-preferences';
import type { OwnedStatus } from '#messages/actions/store-statuses';

/** What the network answers to marketing for someone who has stopped it. */
const STOPPED_MARKETING = 131050;

/** A word about marketing whose tenant is known. */
export interface OwnedPreference {
  readonly tenantId: TenantId;
  readonly item: Omit<PreferenceItem, 'kind'>;
  /** The message that was refused for it; null: the customer said so. */
  readonly messageId: MessageId | null;
}

/** Whether a report says that its recipient has stopped marketing. */
export function saysStopped({ item }: Pick<OwnedStatus, 'item'>): boolean {
  return item.error?.networkCode === STOPPED_MARKETING;
}

/** That report as the word of the customer that it is; null when it does not name the customer. */
export function preferenceOf({ tenantId, item }: OwnedStatus, messageId: MessageId | null): OwnedPreference | null {
  const { recipient: from, recipientUserId: userId, phoneNumberId, at } = item;
  if (from === null && userId === null) return null;
  const wording = item.error?.title || null;
  return { tenantId, messageId, item: { phoneNumberId, from, userId, marketing: 'denied', at, wording } };
}

/**
 * Keeps what customers say about marketing from a number: with its proof in the ledger of consent, and with what follows from it.
 * The latest word counts, in whichever order they come, any number of times.
 */
export async function storePreferences(work: ContactWork, preferences: readonly OwnedPreference[]): Promise<number> {
  // One order for all, so that two batches with the same people never wait for each other in a circle.
  const ordered = preferences.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  for (const preference of ordered) await storePreference(work, preference);
  return preferences.length;
}

function orderOf({ tenantId, item }: OwnedPreference): string {
  return `${tenantId}/${item.from ?? item.userId}`;
}

async function storePreference(work: ContactWork, { tenantId, item, messageId }: OwnedPreference): Promise<void> {
  const { from: phone, userId, marketing, at, wording } = item;
  const known = await recognizeContact(work.tx, tenantId, { phone, userId });
  const before = known ?? (await contactOfRecipient(work, tenantId, phone ?? userId ?? ''));
  const numberConsent: NumberConsent = { phoneNumberId: item.phoneNumberId as PhoneNumberId, marketing, atMs: at };
  const after = applyContactChange(before, { numberConsent }, work.nowMs);
  await saveContacts(work, tenantId, [{ before, after, proof: { source: 'network', wording, messageId } }]);
}
