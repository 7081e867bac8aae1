import Type, { type Static, type TUnsafe } from 'typebox';
import { CLOCK_END, type Interval, type Weekday, weekdays } from '#agents/domain/business-hours';
import type { JsonObject } from '#core/json';
import {
  named,
  nullableText,
  nullableTime,
  PATTERN_SENTENCE,
  text,
  time,
  uuid,
  withExample,
} from '#http/schemas/fields';

const MAX_NAME = 200;
const MAX_ZONE = 64;
/** More stretches of a day are a mistake. */
const MAX_INTERVALS = 24;
/** Some years of holidays. */
const MAX_HOLIDAYS = 366;
export const hoursExampleId = '0190a6f8-3333-7222-8333-444455556666';

const clock = (pattern: RegExp, sentence: string) => ({
  type: 'string',
  pattern: pattern.source,
  [PATTERN_SENTENCE]: sentence,
});

/** From and to; the second may be 24:00, and lies on the next day when it is not after the first. */
const intervals: TUnsafe<readonly Interval[]> = Type.Unsafe<readonly Interval[]>({
  type: 'array',
  maxItems: MAX_INTERVALS,
  items: {
    type: 'array',
    minItems: 2,
    maxItems: 2,
    items: clock(CLOCK_END, 'must be a time of day, as 09:00'),
  },
  ...named(
    'OpeningIntervals',
    'Pairs of from and to, as ["09:00", "17:30"]. An end that is not after its start lies on the next day.',
  ),
});

const Weekly = Type.Unsafe<Partial<Record<Weekday, readonly Interval[]>>>({
  type: 'object',
  properties: Object.fromEntries(weekdays.map((day) => [day, intervals])),
  additionalProperties: false,
  ...named('WeeklyHours', 'When it is open on each day of the week; a day that is left out is closed.'),
});

const decided = {
  timezone: Type.String({
    minLength: 1,
    maxLength: MAX_ZONE,
    description: 'A name of the IANA database, as Europe/Berlin. Summer time is followed by itself.',
  }),
  weekly: Weekly,
  holidays: Type.Array(
    Type.Object(
      {
        date: Type.String({ minLength: 10, maxLength: 10, description: 'The date, for example 2030-12-25.' }),
        name: Type.Optional(nullableText('What day it is, for people.', { maxLength: MAX_NAME })),
        intervals: Type.Optional(intervals),
      },
      {
        additionalProperties: false,
        ...named('Holiday', 'A date whose intervals replace those of its weekday; none: closed.'),
      },
    ),
    { maxItems: MAX_HOLIDAYS, description: 'Dates that are not as their weekday is.' },
  ),
  is_default: Type.Boolean({
    description: 'Whether it holds for teams and numbers that name no hours. New default hours take over.',
  }),
};

export const HoursView = Type.Object(
  {
    id: uuid('Identifier of the hours.'),
    name: Type.String({ description: 'What they are called.' }),
    ...decided,
    version: Type.Integer({ description: 'Grows with each change; the ETag.' }),
    created_at: time('When they were made.'),
    updated_at: time('When they were last changed.'),
  },
  named('BusinessHours', 'When a business is open.'),
);

export const HoursStateView = Type.Object(
  {
    open: Type.Boolean({ description: 'Whether it is open at that moment.' }),
    at: time('The moment that was asked for.'),
    changes_at: nullableTime('When that ends; null: not within 400 days.'),
  },
  named('BusinessHoursState', 'Open or closed, and until when.'),
);

export const HoursIdParams = Type.Object({ id: withExample(uuid('Identifier of the hours.'), hoursExampleId) });

export const CreateHours = Type.Object(
  {
    name: text(MAX_NAME, 'What they are called.'),
    timezone: decided.timezone,
    weekly: decided.weekly,
    holidays: Type.Optional(decided.holidays),
    is_default: Type.Optional(decided.is_default),
  },
  { additionalProperties: false, description: 'New business hours.' },
);
export type CreateHoursBody = Static<typeof CreateHours>;

export const ChangeHours = Type.Object(
  {
    name: Type.Optional(text(MAX_NAME, 'What they are called.')),
    timezone: Type.Optional(decided.timezone),
    weekly: Type.Optional(decided.weekly),
    holidays: Type.Optional(decided.holidays),
    is_default: Type.Optional(decided.is_default),
  },
  { additionalProperties: false, minProperties: 1, description: 'What is left out stays as it is.' },
);
export type ChangeHoursBody = Static<typeof ChangeHours>;

const day = [
  ['09:00', '12:30'],
  ['13:30', '18:00'],
];

/** As it is posted. */
export const hoursInput: JsonObject = {
  name: 'Shop',
  timezone: 'Europe/Berlin',
  weekly: { mon: day, tue: day, wed: day, thu: day, fri: [['20:00', '02:00']] },
  holidays: [{ date: '2030-12-25', name: 'Christmas', intervals: [] }],
};

export const hoursExample: JsonObject = {
  id: hoursExampleId,
  ...hoursInput,
  weekly: { mon: day, tue: day, wed: day, thu: day, fri: [['20:00', '02:00']], sat: [], sun: [] },
  is_default: false,
  version: 1,
  created_at: '2030-01-01T09:00:00.000Z',
  updated_at: '2030-01-01T09:00:00.000Z',
};
