import { openZone, type Stretch, stretchesOf, type Zone } from '#core/time-zone';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** From and to on the wall clock, `HH:MM`. An end that is not after the start lies on the next day; `24:00` is midnight. */
export type Interval = readonly [start: string, end: string];

/** A date whose intervals replace those of its weekday; none of them: closed. */
export interface Holiday {
  /** `2026-12-25`. */
  readonly date: string;
  readonly name: string | null;
  readonly intervals: readonly Interval[];
}

/** When a business is open, as people write it down. An interval belongs to the day on which it begins. */
export interface Timetable {
  /** A name of the IANA database, such as `Europe/Berlin`. */
  readonly timezone: string;
  readonly weekly: Readonly<Record<Weekday, readonly Interval[]>>;
  readonly holidays: readonly Holiday[];
}

/** A timetable made ready for questions. */
export interface OpenHours {
  readonly zone: Zone;
  /** By weekday from Monday, minutes since the day's midnight; the end may lie behind 24 hours. */
  readonly week: readonly (readonly Span[])[];
  /** By days since 1970. */
  readonly holidays: ReadonlyMap<number, readonly Span[]>;
}

/** From `start` up to and without `end`. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const DAY_MS = DAY_MINUTES * MINUTE_MS;
/** 1970 began on a Thursday. */
const FIRST_WEEKDAY = 3;
/** How far ahead the next change is searched: longer than a year of holidays. */
const HORIZON_MS = 400 * DAY_MS;

/**
 * Makes a timetable ready. Do it once and ask often: opening its zone costs more than a question.
 * @throws Error for a timetable that `timetableFaults` refuses
 */
export function openHours({ timezone, weekly, holidays }: Timetable): OpenHours {
  const zone = openZone(timezone);
  if (zone === null) throw new Error(`${timezone} is not a time zone.`);
  return {
    zone,
    week: weekdays.map((day) => weekly[day].map(spanOf)),
    holidays: new Map(holidays.map(({ date, intervals }) => [dayNamed(date) ?? Number.NaN, intervals.map(spanOf)])),
  };
}

export interface HoursState {
  readonly open: boolean;
  /** When that ends, milliseconds since 1970; null: not within 400 days. */
  readonly changesAtMs: number | null;
}

/** Whether the business is open at a moment, and until when that holds. */
export function stateAt(hours: OpenHours, atMs: number): HoursState {
  const horizonMs = atMs + HORIZON_MS;
  let untilMs = atMs;
  for (const { start, end } of openSpans(hours, atMs, horizonMs)) {
    const isOpen = untilMs > atMs;
    if (start > untilMs) return { open: isOpen, changesAtMs: isOpen ? untilMs : start };
    untilMs = end;
  }
  const open = untilMs > atMs;
  return { open, changesAtMs: open && untilMs < horizonMs ? untilMs : null };
}

/** The same without the time of the change: one look at the clock instead of a walk. */
export function isOpenAt(hours: OpenHours, atMs: number): boolean {
  return spansIn(hours, { startMs: atMs, endMs: atMs + 1, offsetMs: hours.zone.offsetAt(atMs) }).length > 0;
}

/** Milliseconds of a time in which the business is open; 0 when `toMs` is not after `fromMs`. */
export function businessMsBetween(hours: OpenHours, fromMs: number, toMs: number): number {
  let sum = 0;
  for (const { start, end } of openSpans(hours, fromMs, toMs)) sum += end - start;
  return sum;
}

/** When the business is open within a time: in order, without overlaps, but cut where a stretch ends. */
function* openSpans(hours: OpenHours, fromMs: number, toMs: number): Generator<Span> {
  if (neverOpens(hours)) return;
  for (const stretch of stretchesOf(hours.zone, fromMs, toMs)) yield* spansIn(hours, stretch);
}

function neverOpens({ week, holidays }: OpenHours): boolean {
  return [...week, ...holidays.values()].every((spans) => spans.length === 0);
}

/** Within a stretch wall clocks and time run alike: what is open on the clock is open in time. */
function spansIn(hours: OpenHours, { startMs, endMs, offsetMs }: Stretch): readonly Span[] {
  const [from, to] = [startMs + offsetMs, endMs + offsetMs];
  const found: Span[] = [];
  // The day before too: its last interval may reach past midnight.
  for (let day = Math.floor(from / DAY_MS) - 1; day * DAY_MS < to; day += 1) {
    for (const span of spansOfDay(hours, day)) {
      const start = Math.max(day * DAY_MS + span.start * MINUTE_MS, from);
      const end = Math.min(day * DAY_MS + span.end * MINUTE_MS, to);
      if (start < end) found.push({ start: start - offsetMs, end: end - offsetMs });
    }
  }
  return joined(found);
}

function spansOfDay({ week, holidays }: OpenHours, day: number): readonly Span[] {
  return holidays.get(day) ?? week[(((day + FIRST_WEEKDAY) % 7) + 7) % 7] ?? [];
}

function joined(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last !== undefined && span.start <= last.end)
      result[result.length - 1] = { ...last, end: Math.max(last.end, span.end) };
    else result.push(span);
  }
  return result;
}

function spanOf([start, end]: Interval): Span {
  const [from, to] = [minutesOf(start), minutesOf(end)];
  return { start: from, end: to > from ? to : to + DAY_MINUTES };
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Days since 1970 of a date; null for one that the calendar does not have. */
function dayNamed(date: string): number | null {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  // The engine takes 30 February for a day in March.
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date ? null : ms / DAY_MS;
}

export interface TimetableFault {
  /** From the timetable on: `weekly.mon[1]`. */
  readonly path: string;
  readonly message: string;
}

/** `00:00` to `23:59`. */
const CLOCK_START = /^([01]\d|2[0-3]):[0-5]\d$/;
/** The same, and `24:00`. */
export const CLOCK_END = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/;

/** Everything that is wrong with a timetable; nothing: it can be opened. */
export function timetableFaults({ timezone, weekly, holidays }: Timetable): readonly TimetableFault[] {
  const dates = holidays.map(({ date }) => date);
  return [
    ...(openZone(timezone) === null
      ? [{ path: 'timezone', message: 'timezone must be a name of the IANA database.' }]
      : []),
    ...weekdays.flatMap((day) => intervalFaults(weekly[day], `weekly.${day}`)),
    ...holidays.flatMap(({ date, intervals }, index) => [
      ...dateFaults(date, `holidays[${index}].date`, dates.indexOf(date) < index),
      ...intervalFaults(intervals, `holidays[${index}].intervals`),
    ]),
  ];
}

function dateFaults(date: string, path: string, isRepeated: boolean): readonly TimetableFault[] {
  if (dayNamed(date) === null) return [{ path, message: `${path} must be a date, for example 2026-12-25.` }];
  return isRepeated ? [{ path, message: `${path} is listed twice.` }] : [];
}

function intervalFaults(intervals: readonly Interval[], path: string): readonly TimetableFault[] {
  return intervals.flatMap((interval, index): readonly TimetableFault[] => {
    const at = `${path}[${index}]`;
    const [start, end] = interval;
    if (!CLOCK_START.test(start) || !CLOCK_END.test(end))
      return [{ path: at, message: `${at} must be two times, such as 09:00 and 17:30.` }];
    if (start === end) return [{ path: at, message: `${at} is empty: a whole day is 00:00 to 24:00.` }];
    const earlier = intervals.slice(0, index).filter((other) => overlap(spanOf(other), spanOf(interval)));
    return earlier.length > 0 ? [{ path: at, message: `${at} overlaps another interval of the same day.` }] : [];
  });
}

function overlap(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}
