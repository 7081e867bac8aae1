/**
 * A place in a timeline. Its entries are ordered by their IDs, which are ordered by time. A decision of rules has the ID of
 * the message that it is about: it stands after it, and the last byte of the place says so.
 */
const MESSAGE = '00';
const DECISION = '01';
const UUID_DIGITS = 32;

/** Where an entry stands, as 34 hex digits. */
export function placeOf(id: string, isDecision: boolean): string {
  return id.replaceAll('-', '') + (isDecision ? DECISION : MESSAGE);
}

/** What is older than a place, as bounds for the two kinds of entries: each begins below its ID. */
export interface Bounds {
  readonly beforeId: string | null;
  readonly decisionsBeforeId: string | null;
}

/** @param place as `placeOf` made it; null: the newest of all */
export function olderThan(place: string | null): Bounds {
  if (place === null) return { beforeId: null, decisionsBeforeId: null };
  const digits = place.slice(0, UUID_DIGITS);
  // Behind a decision comes the message that it is about.
  const next = (BigInt(`0x${digits}`) + 1n).toString(16).padStart(UUID_DIGITS, '0');
  const afterDecision = place.slice(UUID_DIGITS) === DECISION;
  return { beforeId: dashed(afterDecision ? next : digits), decisionsBeforeId: dashed(digits) };
}

function dashed(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
