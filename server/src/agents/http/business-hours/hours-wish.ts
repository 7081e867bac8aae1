import type { HoursFields } from '#agents/actions/manage-business-hours';
import { type Interval, type Weekday, weekdays } from '#agents/domain/business-hours';
import type { ChangeHoursBody } from '#agents/http/schemas/business-hours';
import { givenOnly } from '#http/lists/filters';

/** What a body says of business hours; what it leaves out is absent. */
export function readHoursInput(body: ChangeHoursBody): Partial<HoursFields> {
  return givenOnly({
    name: body.name,
    timezone: body.timezone,
    weekly: body.weekly === undefined ? undefined : wholeWeek(body.weekly),
    holidays: body.holidays?.map(({ date, name = null, intervals = [] }) => ({ date, name, intervals })),
    isDefault: body.is_default,
  });
}

/** Every day of the week; one that is not named is closed. */
export function wholeWeek(named: Partial<Record<Weekday, readonly Interval[]>>): Record<Weekday, readonly Interval[]> {
  const days = weekdays.map((day) => [day, named[day] ?? []]);
  return Object.fromEntries(days) as Record<Weekday, readonly Interval[]>;
}
