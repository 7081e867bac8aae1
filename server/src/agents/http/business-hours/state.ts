import Type from 'typebox';
import { openHours, stateAt } from '#agents/domain/business-hours';
import { presentState } from '#agents/http/present/business-hours';
import { HoursIdParams, HoursStateView } from '#agents/http/schemas/business-hours';
import { findHours } from '#agents/store/business-hours';
import { requireFound } from '#core/errors';
import { optionalTimeMs } from '#http/lists/filters';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { time, withExample } from '#http/schemas/fields';
import { problemOf } from '#http/validation/faults';

/** Before it the zones of the world had no common rules, after it nobody knows theirs. */
const FIRST_MS = Date.UTC(1970, 0, 1);
const LAST_MS = Date.UTC(2200, 0, 1);

export const getBusinessHoursStateRoute = defineOperation({
  method: 'GET',
  path: '/v1/business-hours/:id/state',
  operationId: 'getBusinessHoursState',
  summary: 'Check whether it is open now',
  description: 'Returns whether the business hours are open or closed at a given moment, and until when.',
  tag: 'Agents',
  scope: 'agents:read',
  params: HoursIdParams,
  query: Type.Object(
    { at: Type.Optional(withExample(time('The moment, from 1970 to 2199. Default: now.'), '2030-01-01T09:00:00Z')) },
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
        throw problemOf([{ path: 'query.at', message: 'at must lie in the years 1970 to 2199.' }]);
      }
      return presentState(
        stateAt(openHours(requireFound(await findHours(db, principalOf(request).tenantId, request.params.id))), atMs),
        atMs,
      );
    };
  },
});
