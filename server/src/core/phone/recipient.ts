import { callingCodeOf, countryOf } from './number-plan.ts';
import { MAX_PHONE_INPUT, parsePhone } from './phone.ts';

/**
 * The network's id of a user who may show no number, such as `US.13491208655302741918`; with `ENT.` the one that all portfolios of
 * an enterprise have in common.
 */
const USER_ID = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/;
const MAX_USER_ID = 135;
/** Longer input is refused unread. */
export const MAX_RECIPIENT_INPUT = Math.max(MAX_USER_ID, MAX_PHONE_INPUT);

export type ParsedRecipient = { ok: true; recipient: string } | { ok: false; reason: string };

/** What a contact is recognised by. */
export type IdentityKind = 'phone' | 'user_id';

/**
 * Reads whom a message goes to: a phone number, of which the digits stay, or a user id of the network, which stays as it is. The
 * two never look alike: only a user id has a dot. Else a sentence fragment that completes "to …".
 */
export function parseRecipient(input: string): ParsedRecipient {
  const phone = parsePhone(input);
  if (phone.ok) return { ok: true, recipient: phone.phone };
  const written = input.length > MAX_RECIPIENT_INPUT ? '' : input.trim();
  if (isUserId(written)) return { ok: true, recipient: written };
  if (/^[a-z]{2}\./i.test(written)) return refused('is not a user ID such as US.13491208655302741918');
  if (written.startsWith('@')) return refused('is a username; the network delivers to phone numbers and user IDs');
  return phone;
}

function refused(reason: string): ParsedRecipient {
  return { ok: false, reason };
}

/** Whether a text is a user id of the network, in the form in which messages can be sent to it. */
export function isUserId(text: string): boolean {
  return USER_ID.test(text);
}

/** What a recipient that was read is: the digits of a number, or a user id. */
export function identityKind(recipient: string): IdentityKind {
  return recipient.includes('.') ? 'user_id' : 'phone';
}

/** ISO 3166 code of the country of a recipient that was read: a user id begins with it. Null when it has none. */
export function countryOfRecipient(recipient: string): string | null {
  return identityKind(recipient) === 'user_id' ? recipient.slice(0, 2) : countryOf(recipient);
}

/** What prices by region go by: the digits of a number; of a user id those that numbers of its country begin with. */
export function regionDigits(recipient: string): string {
  return identityKind(recipient) === 'user_id' ? callingCodeOf(recipient.slice(0, 2)) : recipient;
}
