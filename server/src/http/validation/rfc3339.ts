const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[Zz]|[+-](\d{2}):(\d{2}))$/;

/**
 * Milliseconds since 1970 of an RFC 3339 date-time with a zone; null for anything else, also for a day that its
 * month does not have (the engine's own parser would roll it over).
 */
export function parseRfc3339(text: string): number | null {
  const parts = RFC_3339.exec(text);
  if (!parts) return null;
  const [year, month, day, hour, minute, second, zoneHour = 0, zoneMinute = 0] = parts.slice(1).map(Number).map(orZero);
  if (hour === undefined || minute === undefined || second === undefined || day === undefined) return null;
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 23 || zoneMinute > 59) return null;
  const date = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day));
  if (date.getUTCMonth() + 1 !== month || date.getUTCDate() !== day) return null;
  const ms = Date.parse(text.toUpperCase());
  return Number.isNaN(ms) ? null : ms;
}

/** RFC 3339 in UTC with milliseconds and `Z`: the only spelling that leaves the API. */
export function formatRfc3339(ms: number): string {
  return new Date(ms).toISOString();
}

function orZero(value: number): number {
  return Number.isNaN(value) ? 0 : value;
}
