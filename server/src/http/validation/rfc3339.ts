const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[Zz]|[+-](\d{2}):(\d{2}))$/;

/** RFC 3339 writes four digits of a year, and the calendar of the database has no year 0. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Milliseconds since 1970 of an RFC 3339 date-time with a zone; null for anything else: for a day that its month does
 * not have (the engine's own parser would roll it over), and for a moment outside the years 0001 to 9999 in UTC.
 */
export function parseRfc3339(text: string): number | null {
  const parts = RFC_3339.exec(text);
  if (!parts) return null;
  const [year, month, day, hour, minute, second, zoneHour = 0, zoneMinute = 0] = parts.slice(1).map(Number).map(orZero);
  if (hour === undefined || minute === undefined || second === undefined || day === undefined) return null;
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 23 || zoneMinute > 59) return null;
  const date = new Date(0);
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day);
  if (date.getUTCMonth() + 1 !== month || date.getUTCDate() !== day) return null;
  const ms = Date.parse(text.toUpperCase());
  return ms >= FIRST_MS && ms <= LAST_MS ? ms : null;
}

/** RFC 3339 in UTC with milliseconds and `Z`: the only spelling that leaves the API. */
export function formatRfc3339(ms: number): string {
  return new Date(ms).toISOString();
}

/** The same of a moment that may be none. */
export function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : formatRfc3339(ms);
}

function orZero(value: number): number {
  return Number.isNaN(value) ? 0 : value;
}
