/** Readers of the single fields of a callback: text, ids, times, people. None of them throws. */
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { isUserId } from './phone/recipient.ts';

/** PostgreSQL refuses index entries over about 2,700 bytes; an id is at most about 100 characters on the wire. */
export const MAX_ID_LENGTH = 512;

/** The longest field name of the network has 33 characters. */
export const MAX_LABEL_LENGTH = 48;

const MAX_USER_ID_LENGTH = 160;
const PHONE = /^\+?[0-9 ()-]{1,40}$/;
const MAX_PHONE_DIGITS = 20;

/** From here on a number of seconds would lie after the year 5000, so it must be milliseconds; and so on upwards. */
const FIRST_MILLISECONDS = 1e11;
const FIRST_TOO_LARGE = 1e14;

/** Who wrote or received a message; both null when the callback does not say. */
export interface Person {
  /** Digits only. */
  readonly phone: string | null;
  readonly userId: string | null;
}

/** A string as it is, anything else as null. */
export function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** A non-empty string of at most `limit` characters, else null. */
export function shortTextOf(value: JsonValue | undefined, limit: number): string | null {
  return typeof value === 'string' && value.length > 0 && value.length <= limit ? value : null;
}

/** A text from outside as a stable label: only a–z, 0–9 and `_`, bounded, never empty. */
export function labelOf(text: string): string {
  const label = text.slice(0, MAX_LABEL_LENGTH).toLowerCase();
  return label.replace(/[^a-z0-9_]/g, '_') || 'unnamed';
}

/** A usable identifier; the network writes them as strings, some fixtures as numbers. */
export function idOf(value: JsonValue | undefined): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : null;
  return shortTextOf(value, MAX_ID_LENGTH);
}

/** An object as it is, anything else as an empty one. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Milliseconds since 1970 from unix seconds or milliseconds, as digits or a number; null when it is neither. */
export function timeOf(value: JsonValue | undefined): number | null {
  const digits = typeof value === 'number' ? String(Math.trunc(value)) : textOf(value);
  if (digits === null || !/^[0-9]{1,14}$/.test(digits)) return null;
  const time = Number(digits);
  if (time <= 0 || time >= FIRST_TOO_LARGE) return null;
  return time >= FIRST_MILLISECONDS ? time : time * 1000;
}

/** Distinguishes a phone number from a user id: some live callbacks put a user id where a phone number belongs. */
export function personOf(phoneField: JsonValue | undefined, userIdField: JsonValue | undefined): Person {
  const inPhoneField = idOf(phoneField);
  const named = shortTextOf(userIdField, MAX_USER_ID_LENGTH);
  if (inPhoneField !== null && isUserId(inPhoneField)) return { phone: null, userId: named ?? inPhoneField };
  return { phone: digitsOf(inPhoneField), userId: named };
}

function digitsOf(text: string | null): string | null {
  if (text === null || !PHONE.test(text)) return null;
  const digits = text.replace(/[^0-9]/g, '');
  return digits.length > 0 && digits.length <= MAX_PHONE_DIGITS ? digits : null;
}
