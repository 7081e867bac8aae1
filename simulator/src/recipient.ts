/** The recipient of a message, in the forms the network knows. */
export type RecipientKind = 'phone' | 'user' | 'group';

const USER_ID = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/;
const ALL_DIGITS = /^[1-9][0-9]{6,14}$/;
const PHONE_CHARACTERS = /^[0-9+\-() ]+$/;

/** True for a business-scoped user id such as `US.13491208655302741918`. */
export function isUserId(text: string): boolean {
  return USER_ID.test(text);
}

/** The digits of a phone number (`wa_id`), or null when the text is not an international number of 7 to 15 digits. */
export function normalisePhone(text: string): string | null {
  if (ALL_DIGITS.test(text)) return text;
  if (!PHONE_CHARACTERS.test(text)) return null;
  const digits = text.replace(/[^0-9]/g, '');
  return ALL_DIGITS.test(digits) ? digits : null;
}

/** The user id that belongs to a phone here: made from its hash, so that it is stable and does not show the number. */
export function userIdOfPhone(waId: string): string {
  return `US.1${digitsOfHash(waId, 0x811c9dc5)}${digitsOfHash(waId, 0x9747b28c)}`;
}

/** 32-bit FNV-1a, seeded by its offset basis. */
export function hash32(text: string, basis = 0x811c9dc5): number {
  let hash = basis;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

function digitsOfHash(text: string, basis: number): string {
  return hash32(text, basis).toString().padStart(10, '0');
}
