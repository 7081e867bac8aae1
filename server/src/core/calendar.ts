/** Calendar months in UTC: what usage and periods of subscriptions are counted in. */

const DAY_MS = 24 * 60 * 60 * 1000;

/** From `startMs`, up to and without `endMs`; milliseconds since 1970. */
export interface Period {
  readonly startMs: number;
  readonly endMs: number;
}

/** Days since 1970 in UTC. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** `2026-11`. */
export function monthName(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

/** The calendar month (UTC) that this moment lies in. */
export function monthAt(ms: number): Period {
  const date = new Date(ms);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { startMs: Date.UTC(year, month), endMs: Date.UTC(year, month + 1) };
}

/** The names of months. Nothing was used before 2000, and the end of a month must have a year of four digits too. */
export const MONTH_NAME = '^[2-8][0-9]{3}-(0[1-9]|1[0-2])$';

/** The month of a name such as `2026-11`; null when it names none. */
export function monthNamed(name: string): Period | null {
  return new RegExp(MONTH_NAME).test(name) ? monthAt(Date.parse(`${name}-01T00:00:00Z`)) : null;
}

/** The same time of day so many months later; a day that the month lacks becomes its last one. */
export function addMonths(ms: number, months: number): number {
  const date = new Date(ms);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(date.getUTCDate(), lastDay);
  return Date.UTC(year, month, day) + (ms - dayOf(ms) * DAY_MS);
}

/**
 * The period around `nowMs` among those that begin at `anchorMs` and last `months` each. Before the anchor it is the
 * first one.
 */
export function periodAt(anchorMs: number, months: number, nowMs: number): Period {
  const [anchor, now] = [new Date(anchorMs), new Date(Math.max(anchorMs, nowMs))];
  const apart = (now.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + now.getUTCMonth() - anchor.getUTCMonth();
  const whole = Math.floor(apart / months);
  // In the month of a turn the turn may still be to come.
  const count = addMonths(anchorMs, whole * months) > now.getTime() ? whole - 1 : whole;
  return { startMs: addMonths(anchorMs, count * months), endMs: addMonths(anchorMs, (count + 1) * months) };
}
