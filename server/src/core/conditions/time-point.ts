import type { TimePoint } from './condition.ts';

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const OFFSET = /^([-+])([0-9]{1,5})([mhd])$/;
const RFC3339 = /^([0-9]{4})-([0-9]{2})-([0-9]{2})T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$/;

/**
 * Reads `2026-07-01T00:00:00Z`, or `-30d`, `-12h`, `-15m` for that long before the moment of evaluation, and `+2h` for
 * after it. Null for anything else.
 */
export function parseTimePoint(value: unknown): TimePoint | null {
  if (typeof value !== 'string') return null;
  const [, sign, count, unit] = OFFSET.exec(value) ?? [];
  if (count !== undefined && unit !== undefined) {
    const spanMs = Number(count) * (UNIT_MS[unit] ?? 0);
    return { agoMs: sign === '-' ? spanMs : -spanMs };
  }
  const [, year, month, day] = RFC3339.exec(value) ?? [];
  // The engine's own parser would roll a day that its month does not have over into the next.
  if (
    day === undefined ||
    new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day)
  )
    return null;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? null : { atMs };
}

/** Milliseconds since 1970. */
export function pointMs(point: TimePoint, nowMs: number): number {
  return 'atMs' in point ? point.atMs : nowMs - point.agoMs;
}
