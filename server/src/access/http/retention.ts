import {
  changeRetention,
  type Retention,
  type RetentionChanges,
  readRetention,
} from '#access/actions/change-retention';
import type { JsonObject } from '#core/json';
import { retentionKinds } from '#core/retention';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf, requesterOf } from '#http/plugins/auth';
import { faultExample } from '#http/schemas/errors';
import {
  ChangeRetention,
  type ChangeRetentionBody,
  dayJson,
  RetentionView,
  retentionExample,
} from './schemas/retention.ts';

const answer = {
  status: 200,
  description: 'How long data is kept.',
  schema: RetentionView,
  example: retentionExample,
} as const;

const tooLong = faultExample('tooLong', 'validation_failed', {
  path: 'body.events_days',
  message: 'events_days must be from 1 to 30, which is what this installation keeps, or null.',
});

const getRetentionRoute = defineOperation({
  method: 'GET',
  path: '/v1/retention',
  operationId: 'getRetention',
  summary: 'Get how long data is kept',
  description: 'Returns how many days each kind of data is kept, and between which limits you can choose.',
  tag: 'System',
  scope: 'settings:read',
  answer,
  errors: [],
  handle:
    ({ rt, db }) =>
    async (request) =>
      presentRetention(await readRetention(rt, db, principalOf(request).tenantId)),
});

const updateRetentionRoute = defineOperation({
  method: 'PATCH',
  path: '/v1/retention',
  operationId: 'updateRetention',
  summary: 'Change how long data is kept',
  description:
    'Keeps data for less time than the installation does. What is then too old is removed in the background, within hours, and cannot be brought back. Nothing is removed that is still to be sent, delivered or counted, nor the newest message of a conversation that is not resolved. Files keep the `expires_at` that they have.',
  tag: 'System',
  scope: 'settings:write',
  recentSignIn: true,
  body: ChangeRetention,
  bodyExamples: {
    shorter: {
      summary: "A week of events, 30 days of customers' files",
      value: { events_days: 7, received_media_days: 30 },
    },
    messages: { summary: 'Messages of the last year', value: { messages_days: 365 } },
    usual: { summary: 'Events for as long as the installation keeps them', value: { events_days: null } },
  },
  answer,
  errors: [],
  errorExamples: [tooLong],
  handle:
    ({ rt, db }) =>
    async (request) =>
      presentRetention(await changeRetention(rt, db, { ...requesterOf(request), changes: changesOf(request.body) })),
});

/** In the order of the documentation. */
export const retentionOperations: readonly Operation[] = [getRetentionRoute, updateRetentionRoute];

function changesOf(body: ChangeRetentionBody): RetentionChanges {
  const given = retentionKinds.filter((kind) => body[`${kind}_days`] !== undefined);
  return Object.fromEntries(given.map((kind) => [kind, body[`${kind}_days`] ?? null]));
}

function presentRetention({ own, effective, limits }: Retention): JsonObject {
  return {
    ...dayJson(own),
    effective: dayJson(effective),
    shortest: dayJson(limits.shortest),
    longest: dayJson(limits.longest),
  };
}
