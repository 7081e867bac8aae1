import Type, { type Static, type TUnsafe } from 'typebox';
import { CLOCK_END, type Interval, type Weekday, weekdays } from '#agents/domain/business-hours';
import type { JsonObject } from '#core/json';
import {
  changeOf,
  named,
  nullableText,
  nullableTime,
  optional,
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
    'Pairs of start and end, such as ["09:00", "17:30"]. An end that is not after its start is on the next day.',
  ),
});

const Weekly = Type.Unsafe<Partial<Record<Weekday, readonly Interval[]>>>({
  type: 'object',
  properties: Object.fromEntries(weekdays.map((day) => [day, intervals])),
  additionalProperties: false,
  ...named('WeeklyHours', 'Opening hours for each day of the week. Omitted days are closed.'),
});

const decided = {
  timezone: Type.String({
    minLength: 1,
    maxLength: MAX_ZONE,
    ...named('Timezone', 'IANA time zone, such as Europe/Berlin. Daylight saving time is applied automatically.'),
  }),
  weekly: Weekly,
  holidays: Type.Array(
    Type.Object(
      {
        date: Type.String({ minLength: 10, maxLength: 10, description: 'The date, for example 2030-12-25.' }),
        name: Type.Optional(nullableText('Name of the holiday.', { maxLength: MAX_NAME })),
        intervals: Type.Optional(intervals),
      },
      {
        additionalProperties: false,
        ...named('Holiday', 'A date whose intervals replace those of its weekday. If there are none, it is closed.'),
      },
    ),
    { maxItems: MAX_HOLIDAYS, ...named('Holidays', 'Dates that differ from their weekday.') },
  ),
  is_default: Type.Boolean({
    ...named(
      'IsDefaultHours',
      'Whether these are used by teams and numbers without their own hours. New default hours replace the previous default.',
    ),
  }),
};

export const HoursView = Type.Object(
  {
    id: uuid('ID of the business hours.'),
    name: Type.String({ description: 'Name.' }),
    ...decided,
    version: Type.Integer(named('ResourceVersion', 'Increases with each change. Used as the ETag.')),
    created_at: time('When they were created.'),
    updated_at: time('When they were last changed.'),
  },
  named('BusinessHours', 'Business hours.'),
);

export const HoursStateView = Type.Object(
  {
    open: Type.Boolean({ description: 'Whether it is open at that time.' }),
    at: time('The time checked.'),
    changes_at: nullableTime('When that changes. Null if not within 400 days.'),
  },
  named('BusinessHoursState', 'Open or closed, and until when.'),
);

export const HoursIdParams = Type.Object({ id: withExample(uuid('ID of the business hours.'), hoursExampleId) });

const name = text(MAX_NAME, 'Name.');
const { timezone, weekly, ...dispensable } = decided;

export const CreateHours = Type.Object(
  { name, timezone, weekly, ...optional(dispensable) },
  { additionalProperties: false, description: 'New business hours.' },
);

export const ChangeHours = changeOf({ name, ...decided });
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
