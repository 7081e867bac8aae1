/** Checks that every kind of payload shares; each gives null or the network's refusal. */
import { type NetworkError, networkError } from '../../graph/errors.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';

/** Characters as the network counts them: code points. */
export function lengthOf(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) count--;
  }
  return count;
}

/** A string of `min` to `max` characters. */
export function checkString(name: string, value: unknown, min: number, max: number): NetworkError | null {
  if (value === undefined || value === null) return networkError(131008, `Parameter ${name} is required.`);
  if (typeof value !== 'string') return networkError(100, `Param ${name} must be a string.`);
  const length = lengthOf(value);
  if (length < min) return networkError(131008, `Parameter ${name} must not be empty.`);
  return length > max ? networkError(100, `Param ${name} must be at most ${max} characters long.`) : null;
}

/** The same for a member that may be absent. */
export function checkOptionalString(name: string, value: unknown, max: number): NetworkError | null {
  return value === undefined ? null : checkString(name, value, 0, max);
}

/** An unknown member is refused, as misspelt ones are on the network. */
export function checkKeys(name: string, payload: JsonObject, known: readonly string[]): NetworkError | null {
  const unknown = Object.keys(payload).find((key) => !known.includes(key));
  return unknown === undefined ? null : networkError(100, `Unexpected key "${unknown}" on param "${name}".`);
}

/** The first refusal of `check` over `items`. */
export function firstFault<T>(
  items: readonly T[],
  check: (item: T, position: number) => NetworkError | null,
): NetworkError | null {
  for (const [i, item] of items.entries()) {
    const fault = check(item, i);
    if (fault !== null) return fault;
  }
  return null;
}

/** The object under `name`, or the refusal for its absence or its wrong form. */
export function requireObject(name: string, value: unknown): JsonObject | NetworkError {
  if (value === undefined || value === null) return networkError(131008, `Parameter ${name} is required.`);
  return isJsonObject(value) ? value : networkError(100, `Param ${name} must be a JSON object.`);
}

/** True for a refusal; payload members have no numeric `code` beside `details`. */
export function isRefusal(value: JsonObject | NetworkError): value is NetworkError {
  return 'details' in value && typeof value.code === 'number';
}

/** An address that begins with http or https. */
export function isWebAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}
