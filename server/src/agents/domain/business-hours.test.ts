import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  businessMsBetween,
  type Interval,
  isOpenAt,
  openHours,
  stateAt,
  type Timetable,
  timetableFaults,
  weekdays,
} from './business-hours.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const closed: Timetable['weekly'] = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] };
const office: Timetable = {
  timezone: 'Europe/Berlin',
  weekly: {
    ...closed,
    mon: [
      ['08:00', '12:00'],
      ['13:30', '18:00'],
    ],
    fri: [['22:00', '02:00']],
  },
  holidays: [],
};
const at = (text: string) => Date.parse(text);
const show = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

describe('a timetable', () => {
  test.each([
    ['before the first interval', '2026-01-05T06:59:59.999Z', false, '2026-01-05T07:00:00.000Z'],
    ['at its first millisecond', '2026-01-05T07:00:00Z', true, '2026-01-05T11:00:00.000Z'],
    ['in the break', '2026-01-05T11:00:00Z', false, '2026-01-05T12:30:00.000Z'],
    ['in the second interval', '2026-01-05T16:59:59.999Z', true, '2026-01-05T17:00:00.000Z'],
    ['from Monday evening to Friday night', '2026-01-05T17:00:00Z', false, '2026-01-09T21:00:00.000Z'],
    ['past midnight', '2026-01-10T00:30:00Z', true, '2026-01-10T01:00:00.000Z'],
    ['on Monday in summer', '2026-07-06T06:00:00Z', true, '2026-07-06T10:00:00.000Z'],
  ])('is right %s', (_label, moment, open, changes) => {
    const { changesAtMs, ...state } = stateAt(openHours(office), at(moment));
    expect([state.open, show(changesAtMs)]).toEqual([open, changes]);
    expect(isOpenAt(openHours(office), at(moment))).toBe(open);
  });

  test('a holiday replaces the intervals that begin on it, and not what began the night before', () => {
    const holidays = [{ date: '2026-01-10', name: 'Fair', intervals: [['10:00', '11:00']] as const }];
    const hours = openHours({ ...office, holidays });
    expect(isOpenAt(hours, at('2026-01-10T00:30:00Z'))).toBe(true);
    expect(isOpenAt(hours, at('2026-01-10T09:30:00Z'))).toBe(true);
    const shut = openHours({ ...office, holidays: [{ date: '2026-01-05', name: null, intervals: [] }] });
    expect(show(stateAt(shut, at('2026-01-05T07:30:00Z')).changesAtMs)).toBe('2026-01-09T21:00:00.000Z');
  });

  test('that never or always opens has no change ahead', () => {
    const always = Object.fromEntries(
      weekdays.map((day) => [day, [['00:00', '24:00']]]),
    ) as unknown as Timetable['weekly'];
    const never = { timezone: 'UTC', weekly: closed, holidays: [] };
    expect(stateAt(openHours(never), 0)).toEqual({ open: false, changesAtMs: null });
    expect(stateAt(openHours({ ...never, weekly: always }), 0)).toEqual({ open: true, changesAtMs: null });
  });

  test('counts an hour that the clocks show twice twice, and one that they skip never', () => {
    const night: Timetable = { ...office, weekly: { ...closed, sun: [['01:00', '04:00']] } };
    const hours = openHours(night);
    const day = (text: string) =>
      businessMsBetween(hours, at(`${text}T00:00:00Z`) - DAY_MS, at(`${text}T00:00:00Z`) + DAY_MS);
    expect([day('2026-03-29'), day('2026-10-25'), day('2026-11-01')].map((ms) => ms / HOUR_MS)).toEqual([2, 4, 3]);
    expect(businessMsBetween(hours, 1_000, 0)).toBe(0);
  });

  test('may have intervals that follow each other without a break', () => {
    const mon = [
      ['12:00', '18:00'],
      ['08:00', '12:00'],
    ] as const;
    expect(timetableFaults({ ...office, weekly: { ...closed, mon } })).toEqual([]);
  });

  test('is refused with all faults together', () => {
    const faults = timetableFaults({
      timezone: 'Mars/Olympus',
      weekly: {
        ...closed,
        mon: [
          ['09:00', '09:00'],
          ['25:00', '26:00'],
        ],
        tue: [
          ['09:00', '12:00'],
          ['11:00', '13:00'],
        ],
      },
      holidays: [
        { date: '2026-02-30', name: null, intervals: [] },
        { date: '2026-12-25', name: null, intervals: [] },
        {
          date: '2026-12-25',
          name: null,
          intervals: [
            ['20:00', '01:00'],
            ['00:00', '21:00'],
          ],
        },
      ],
    });
    expect(faults.map(({ path }) => path)).toEqual([
      'timezone',
      'weekly.mon[0]',
      'weekly.mon[1]',
      'weekly.tue[1]',
      'holidays[0].date',
      'holidays[2].date',
      'holidays[2].intervals[1]',
    ]);
    expect(timetableFaults(office)).toEqual([]);
    expect(timetableFaults({ ...office, timezone: '+05:30' }).map(({ path }) => path)).toEqual(['timezone']);
  });
});

/*
 * The slow model: for each minute, what the wall clock shows by the engine's own words, and whether an interval of that
 * weekday, or of the day before, holds it.
 */
interface WallMinute {
  readonly date: string;
  readonly weekday: number;
  readonly minute: number;
}

/** The calendar's day before, by its name alone. */
function dayBefore(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);
}

function makeModel(timetable: Timetable): (ms: number) => boolean {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timetable.timezone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const wall = (ms: number): WallMinute => {
    const [date = '', clock = ''] = format.format(ms).split(' ');
    const [hours = 0, minutes = 0] = clock.split(':').map(Number);
    return { date, weekday: (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7, minute: hours * 60 + minutes };
  };
  const intervalsOn = (date: string, weekday: number): readonly Interval[] =>
    timetable.holidays.find((holiday) => holiday.date === date)?.intervals ??
    timetable.weekly[weekdays[weekday] ?? 'mon'];
  const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
  return (ms) => {
    const { date, weekday, minute } = wall(ms);
    const today = intervalsOn(date, weekday).some(([start, end]) => {
      const [from, to] = [minutes(start), minutes(end)];
      return minute >= from && (to <= from || minute < to);
    });
    const spilled = intervalsOn(dayBefore(date), (weekday + 6) % 7).some(([start, end]) => {
      const [from, to] = [minutes(start), minutes(end)];
      return to <= from && minute < to;
    });
    return today || spilled;
  };
}

/** Moments at which the clocks of a zone change, and two ordinary ones. */
const turns: readonly (readonly [zone: string, turn: string])[] = [
  ['Europe/Berlin', '2026-03-29T01:00:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['America/New_York', '2026-03-08T07:00:00Z'],
  ['America/New_York', '2026-11-01T06:00:00Z'],
  ['America/St_Johns', '2026-03-08T05:30:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
  ['Pacific/Chatham', '2026-09-26T14:00:00Z'],
  ['Antarctica/Troll', '2026-03-29T01:00:00Z'],
  ['Africa/Casablanca', '2026-02-15T02:00:00Z'],
  ['America/Havana', '2026-03-08T05:00:00Z'],
  ['Asia/Beirut', '2026-03-28T22:00:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z'],
  ['Europe/Dublin', '2026-10-25T01:00:00Z'],
  ['Asia/Kathmandu', '2026-05-01T00:00:00Z'],
  ['UTC', '2026-01-01T00:00:00Z'],
];

const clockOf = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
/** Cuts the day at random places: every second piece is open; the last may reach past midnight. */
const dayPlan = fc
  .tuple(fc.uniqueArray(fc.integer({ min: 0, max: 1439 }), { minLength: 0, maxLength: 6 }), fc.boolean())
  .map(([cuts, overnight]): readonly Interval[] => {
    const sorted = cuts.toSorted((a, b) => a - b);
    const pairs: Interval[] = [];
    for (let index = 0; index + 1 < sorted.length; index += 2) {
      pairs.push([clockOf(sorted[index] ?? 0), clockOf(sorted[index + 1] ?? 0)]);
    }
    const [last, first] = [sorted.at(-1), sorted[0]];
    const isOdd = sorted.length % 2 === 1;
    if (isOdd && overnight && last !== undefined && first !== undefined && first > 0)
      pairs.push([clockOf(last), clockOf(first)]);
    return pairs;
  });
const timetables = fc.record({
  turn: fc.constantFrom(...turns),
  days: fc.array(dayPlan, { minLength: 7, maxLength: 7 }),
  holiday: fc.tuple(fc.integer({ min: -1, max: 1 }), dayPlan),
});

test('agrees with a model that asks the wall clock minute by minute, around every change of the clocks', () => {
  const property = fc.property(timetables, fc.integer({ min: -30, max: 30 }), ({ turn, days, holiday }, shift) => {
    const [timezone, moment] = turn;
    const date = new Date(at(moment) + holiday[0] * DAY_MS).toISOString().slice(0, 10);
    const weekly = Object.fromEntries(
      weekdays.map((day, index) => [day, days[index] ?? []]),
    ) as unknown as Timetable['weekly'];
    const timetable: Timetable = { timezone, weekly, holidays: [{ date, name: null, intervals: holiday[1] }] };
    const hours = openHours(timetable);
    const model = makeModel(timetable);
    const fromMs = at(moment) - 20 * HOUR_MS + shift * HOUR_MS;
    const minutes = Array.from({ length: 40 * 60 }, (_, index) => model(fromMs + index * MINUTE_MS));
    const openMinutes = minutes.filter(Boolean).length;
    expect(businessMsBetween(hours, fromMs, fromMs + minutes.length * MINUTE_MS)).toBe(openMinutes * MINUTE_MS);
    for (const start of [0, 7 * 60, 19 * 60 + 1, 20 * 60]) {
      const state = stateAt(hours, fromMs + start * MINUTE_MS);
      expect([state.open, isOpenAt(hours, fromMs + start * MINUTE_MS)]).toEqual([minutes[start], minutes[start]]);
      const ahead = minutes.findIndex((open, index) => index > start && open !== minutes[start]);
      if (ahead >= 0) expect(state.changesAtMs).toBe(fromMs + ahead * MINUTE_MS);
      else
        expect(state.changesAtMs ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(
          fromMs + minutes.length * MINUTE_MS,
        );
    }
  });
  fc.assert(property, { numRuns: 120 });
});
