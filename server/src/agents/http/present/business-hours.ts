import { type HoursState, type Interval, weekdays } from '#agents/domain/business-hours';
import type { BusinessHours } from '#agents/store/business-hours';
import type { JsonObject } from '#core/json';
import { formatRfc3339 } from '#http/validation/rfc3339';

export function presentHours(hours: BusinessHours): JsonObject {
  return {
    id: hours.hoursId,
    name: hours.name,
    timezone: hours.timezone,
    weekly: Object.fromEntries(weekdays.map((day) => [day, pairs(hours.weekly[day])])),
    holidays: hours.holidays.map(({ date, name, intervals }) => ({ date, name, intervals: pairs(intervals) })),
    is_default: hours.isDefault,
    version: hours.version,
    created_at: formatRfc3339(hours.createdMs),
    updated_at: formatRfc3339(hours.updatedMs),
  };
}

/** @param atMs the moment that was asked for */
export function presentState({ open, changesAtMs }: HoursState, atMs: number): JsonObject {
  const changes = changesAtMs === null ? null : formatRfc3339(changesAtMs);
  return { open, at: formatRfc3339(atMs), changes_at: changes };
}

function pairs(intervals: readonly Interval[]) {
  return intervals.map(([start, end]) => [start, end]);
}
