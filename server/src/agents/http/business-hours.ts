import Type from 'typebox';
import {
  changeHours,
  createHours,
  type HoursFields,
  hoursInUse,
  removeHours,
} from '#agents/actions/manage-business-hours';
import { type Interval, openHours, stateAt, type Weekday, weekdays } from '#agents/domain/business-hours';
import { type BusinessHours, findHours, listHoursPage } from '#agents/store/business-hours';
import { requireFound } from '#core/errors';
import type { JsonObject } from '#core/json';
import { givenOnly, optionalTimeMs } from '#http/lists/filters';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import {
  createOperation,
  deleteOperation,
  getOperation,
  listOperation,
  type Resource,
  updateOperation,
} from '#http/resource';
import { conflictExample, staleExample } from '#http/schemas/errors';
import { time, withExample } from '#http/schemas/fields';
import { problemOf } from '#http/validation/faults';
import { formatRfc3339 } from '#http/validation/rfc3339';
import {
  ChangeHours,
  type ChangeHoursBody,
  CreateHours,
  HoursIdParams,
  HoursStateView,
  HoursView,
  hoursExample,
  hoursInput,
} from './schemas/business-hours.ts';

/** Before it the zones of the world had no common rules, after it nobody knows theirs. */
const FIRST_MS = Date.UTC(1970, 0, 1);
const LAST_MS = Date.UTC(2200, 0, 1);

const businessHours: Resource<BusinessHours> = {
  path: '/v1/business-hours',
  name: 'BusinessHours',
  names: 'BusinessHours',
  noun: 'business hours',
  one: 'business hours',
  many: 'business hours',
  tag: 'Agents',
  scopes: { read: 'agents:read', write: 'agents:write' },
  params: HoursIdParams,
  view: HoursView,
  example: hoursExample,
  stale: staleExample('timetable'),
  present: presentHours,
};

const listBusinessHoursRoute = listOperation(businessHours, {
  description: "Returns the tenant's business hours, newest first, and shows which of them are the default.",
  read: ({ db }, { tenantId, window }) => listHoursPage(db, tenantId, window),
  idOf: ({ hoursId }) => hoursId,
});

const createBusinessHoursRoute = createOperation(businessHours, {
  description:
    'Creates a named timetable that teams and sending numbers can refer to. A day can have several intervals, which can extend past midnight; an interval belongs to the day on which it begins.',
  body: CreateHours,
  bodyExamples: {
    shop: { summary: 'A shop with a lunch break and late opening on Fridays', value: hoursInput },
    always: {
      summary: '24 hours on weekdays',
      value: { name: 'Hotline', timezone: 'Asia/Kolkata', weekly: { mon: [['00:00', '24:00']] } },
    },
  },
  answer: { description: 'The business hours were created and apply from now on.' },
  create: ({ rt, db }, asked, { body }) => {
    const { name, timezone } = body;
    const required = { name, timezone, weekly: wholeWeek(body.weekly) };
    const fields = { ...required, holidays: [], isDefault: false, ...readHoursInput(body) };
    return createHours(rt, db, { ...asked, fields });
  },
});

const getBusinessHoursRoute = getOperation(businessHours, {
  description: 'Returns the timetable as it was set up, with every day of the week and the holidays.',
  answer: { description: 'The business hours.' },
  find: ({ db }, tenantId, id) => findHours(db, tenantId, id),
});

const updateBusinessHoursRoute = updateOperation(businessHours, {
  description:
    'Updates the business hours. Omitted fields stay unchanged; weekly and holidays are replaced as a whole.',
  body: ChangeHours,
  bodyExamples: {
    holiday: { summary: 'Closed on a holiday', value: { holidays: [{ date: '2030-05-01', name: 'Labour Day' }] } },
    zone: { summary: 'Change the time zone', value: { timezone: 'America/Sao_Paulo' } },
  },
  update: ({ rt, db }, asked, { body }) => changeHours(rt, db, { ...asked, hoursId: asked.id }, readHoursInput(body)),
});

const deleteBusinessHoursRoute = deleteOperation(businessHours, {
  description: 'Deletes the business hours. Returns 409 while a team or a number refers to them.',
  answer: { description: 'The business hours were deleted.' },
  failures: [conflictExample('inUse', hoursInUse('Support'))],
  remove: ({ rt, db }, asked) => removeHours(rt, db, { ...asked, hoursId: asked.id }),
});

const getBusinessHoursStateRoute = defineOperation({
  method: 'GET',
  path: '/v1/business-hours/:id/state',
  operationId: 'getBusinessHoursState',
  summary: 'Check whether it is open now',
  description: 'Returns whether the business hours are open or closed at a given moment, and until when.',
  tag: 'Agents',
  scope: 'agents:read',
  params: HoursIdParams,
  query: Type.Object(
    { at: Type.Optional(withExample(time('Time to check, from 1970 to 2199. Default: now.'), '2030-01-01T09:00:00Z')) },
    { additionalProperties: false },
  ),
  answer: {
    status: 200,
    description: 'Whether the business hours are open or closed.',
    schema: HoursStateView,
    example: { open: true, at: '2030-01-01T09:00:00.000Z', changes_at: '2030-01-01T11:30:00.000Z' },
  },
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      const atMs = optionalTimeMs(request.query.at) ?? rt.clock.now();
      if (atMs < FIRST_MS || atMs >= LAST_MS) {
        throw problemOf([{ path: 'query.at', message: 'at must be in the years 1970 to 2199.' }]);
      }
      const hours = requireFound(await findHours(db, principalOf(request).tenantId, request.params.id));
      const { open, changesAtMs } = stateAt(openHours(hours), atMs);
      const changes = changesAtMs === null ? null : formatRfc3339(changesAtMs);
      return { open, at: formatRfc3339(atMs), changes_at: changes };
    };
  },
});

/** In the order of the documentation. */
export const businessHoursOperations: readonly Operation[] = [
  listBusinessHoursRoute,
  createBusinessHoursRoute,
  getBusinessHoursRoute,
  updateBusinessHoursRoute,
  deleteBusinessHoursRoute,
  getBusinessHoursStateRoute,
];

/** What a body says of business hours; what it leaves out is absent. */
function readHoursInput(body: ChangeHoursBody): Partial<HoursFields> {
  return givenOnly({
    name: body.name,
    timezone: body.timezone,
    weekly: body.weekly === undefined ? undefined : wholeWeek(body.weekly),
    holidays: body.holidays?.map(({ date, name = null, intervals = [] }) => ({ date, name, intervals })),
    isDefault: body.is_default,
  });
}

/** Every day of the week; one that is not named is closed. */
function wholeWeek(named: Partial<Record<Weekday, readonly Interval[]>>): Record<Weekday, readonly Interval[]> {
  const days = weekdays.map((day) => [day, named[day] ?? []]);
  return Object.fromEntries(days) as Record<Weekday, readonly Interval[]>;
}

function presentHours(hours: BusinessHours): JsonObject {
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

function pairs(intervals: readonly Interval[]) {
  return intervals.map(([start, end]) => [start, end]);
}
