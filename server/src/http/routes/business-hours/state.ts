import Type from 'typebox';
import { openHours, stateAt } from '#core/business-hours';
import { ApiProblem } from '#core/errors';
import { findHours } from '#storage/business-hours';
import { optionalTimeMs } from '../../lists/filters.ts';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { presentState } from '../../present/business-hours.ts';
import { HoursIdParams, HoursStateView } from '../../schemas/business-hours.ts';
import { time, withExample } from '../../schemas/fields.ts';
import { problemOf } from '../../validation/faults.ts';

/** Before it the zones of the world had no common rules, after it nobody knows theirs. */
const FIRST_MS = Date.UTC(1970, 0, 1);
const LAST_MS = Date.UTC(2200, 0, 1);

export const getBusinessHoursState = defineOperation({
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
      const hours = await findHours(db, principalOf(request).tenantId, request.params.id);
      if (hours === null) throw new ApiProblem('not_found');
      return presentState(stateAt(openHours(hours), atMs), atMs);
    };
  },
});
