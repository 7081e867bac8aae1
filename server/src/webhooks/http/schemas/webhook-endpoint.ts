import Type, { type Static } from 'typebox';
import type { JsonObject } from '#core/json';
import { eventTypes } from '#events/domain/event';
import { conflictExample, faultExample } from '#http/schemas/errors';
import {
  changeOf,
  choiceOf,
  named,
  nullableInteger,
  nullableText,
  nullableTime,
  optional,
  strictObject,
  text,
  time,
  uuid,
  viewOf,
  withExample,
} from '#http/schemas/fields';
import { endpointFormats, webhookStates } from '#webhooks/domain/webhook';

const MAX_URL = 2_000;
const MAX_DESCRIPTION = 500;
const MAX_VERIFY_TOKEN = 200;
/** Longer than anybody takes to roll a secret out. */
const MAX_OVERLAP_S = 30 * 24 * 60 * 60;
export const DEFAULT_SECRET_OVERLAP_S = 24 * 60 * 60;

const format = choiceOf(
  endpointFormats,
  named(
    'WebhookFormat',
    'postrider: it receives events, signed according to Standard Webhooks. network: it receives the callbacks of the network about the numbers and accounts of the tenant, in the form of the network and signed like them (X-Hub-Signature-256), instead of events. It never changes.',
  ),
);
const verifyToken = text(
  MAX_VERIFY_TOKEN,
  'With the format network: value of hub.verify_token when the URL is verified. It is not stored. Default: a random one.',
);

const orderings = ['none', 'conversation'] as const;
const orderingHelp =
  'none: as fast as the endpoint responds, in any order. conversation: events of one conversation in order; a failing event holds back only its own conversation, for at most 30 minutes.';
const reasons = ['person', 'gone', 'failing'];

const types = Type.Unsafe<(typeof eventTypes)[number][] | null>({
  type: ['array', 'null'],
  items: choiceOf(eventTypes, named('EventType', 'Type of event.')),
  minItems: 1,
  maxItems: 200,
  ...named(
    'WebhookEventTypes',
    'Event types that it receives. Null: all, including future ones, but not audit.recorded, which must be named. Always null with the format network.',
  ),
});

const ordering = choiceOf(orderings, named('WebhookOrdering', orderingHelp));
const enabled = Type.Boolean({ description: 'Whether it receives events.' });

export const EndpointView = viewOf(named('WebhookEndpoint', 'A webhook endpoint, without its secret.'), {
  id: uuid('ID of the endpoint.'),
  url: Type.String({ description: 'URL that events are posted to.' }),
  description: nullableText('What it is for.'),
  format,
  types,
  ordering,
  enabled,
  disabled_reason: nullableText(
    'person: disabled by a person. gone: it returned 410. failing: no attempt succeeded for five days.',
    { enum: [...reasons, null] },
  ),
  disabled_at: nullableTime('When it was disabled.'),
  failing_since: nullableTime(
    'Time of the first failed attempt since the last success. Null if the last attempt succeeded.',
  ),
  old_secret_until: nullableTime('Until when the previous secret also signs.'),
  version: Type.Integer(named('ResourceVersion', 'Increases with each change. Used as the ETag.')),
  created_at: time('When it was created.'),
  updated_at: time(named('UpdatedAt', 'When it was last changed.')),
});

export const NewEndpointView = Type.Intersect(
  [
    EndpointView,
    Type.Object({
      secret: nullableText(
        'Signing secret (whsec_…), shown only this once. Null if the response is repeated for an Idempotency-Key.',
      ),
    }),
  ],
  named('NewWebhookEndpoint', 'A webhook endpoint with its new secret.'),
);

const url = text(MAX_URL, 'URL that events are posted to: https, with a public host.');
const further = {
  description: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    minLength: 1,
    maxLength: MAX_DESCRIPTION,
    description: 'What it is for.',
  }),
  types,
  ordering,
  enabled,
};

export const CreateEndpoint = strictObject(
  'A webhook endpoint. By default, it receives all event types, in any order.',
  {
    url,
    ...optional({ format, verify_token: verifyToken, ...further }),
  },
);
export const ChangeEndpoint = changeOf({ url, verify_token: verifyToken, ...further });
export type CreateEndpointBody = Static<typeof CreateEndpoint>;
export type ChangeEndpointBody = Static<typeof ChangeEndpoint>;

/** Nothing will do: some clients cannot post without a body, others not with one. */
export const RotateSecret = Type.Unsafe<{ readonly overlap_s?: number } | null>({
  type: ['object', 'null'],
  properties: {
    overlap_s: Type.Integer({
      minimum: 0,
      maximum: MAX_OVERLAP_S,
      default: DEFAULT_SECRET_OVERLAP_S,
      description:
        'Seconds during which the previous secret also signs; 0 ends it immediately. With the format network, the new secret alone signs immediately.',
    }),
  },
  additionalProperties: false,
  description: 'How long both secrets sign.',
});

export const TestEndpoint = strictObject('Type of the test event.', {
  type: choiceOf(eventTypes, named('EventType', 'Type of the test event.')),
});

const recoverKinds = ['failed', 'missing', 'all'] as const;

export const RecoverEndpoint = strictObject('Events to deliver again.', {
  since: time('Events from this time on.'),
  until: Type.Optional(time('Events before this time. Default: now.')),
  only: Type.Optional(
    choiceOf(
      recoverKinds,
      'failed: events that were given up (the default). missing: events that were never tried, from while the endpoint was disabled; with the format network, there are none. all: both, and delivered events.',
    ),
  ),
  dry_run: Type.Optional(Type.Boolean({ description: 'If true, events are only counted. Default: false.' })),
});

export const RecoveredView = viewOf(named('RecoveredWebhooks', 'Events that are delivered again.'), {
  matched: Type.Integer({ description: 'Events that are delivered again or, in a dry run, would be.' }),
  dry_run: Type.Boolean({ description: 'Whether events were only counted.' }),
  has_more: Type.Boolean({
    description: 'Whether the limit of 10,000 per request was reached. If so, repeat the request later.',
  }),
});

const AttemptView = viewOf(named('WebhookAttempt', 'One attempt.'), {
  at: time('When it started.'),
  duration_ms: Type.Integer({ description: 'Duration in milliseconds.' }),
  status: nullableInteger('HTTP status of the response. Null if there was none.'),
  error: nullableText(
    'Null: success. Otherwise status, redirect, timeout, connection, tls, dns, address_refused, secret_unreadable or event_expired.',
  ),
  detail: nullableText('Description of the error.'),
  response: nullableText('Start of the response, at most 1 KB.'),
});

export const DeliveryView = viewOf(named('WebhookDelivery', 'The delivery of an event to an endpoint.'), {
  id: uuid('ID of the delivery.'),
  endpoint_id: uuid('The endpoint.'),
  event_id: uuid('ID of the event or of the callback of the network; the webhook-id of every attempt.'),
  sequence: nullableInteger('Sequence of the event. Null for a test event, and for a callback of the network.'),
  type: Type.String({ description: 'Type of the event, or field of the callback of the network.' }),
  state: choiceOf(
    webhookStates,
    named('WebhookState', 'pending: another attempt is due. failed: no further automatic attempts.'),
  ),
  attempts: Type.Integer({ description: 'Attempts of the current schedule.' }),
  next_attempt_at: nullableTime('When the next attempt is due.'),
  overtaken: Type.Boolean({
    description: 'Whether it has failed for so long that later events of its conversation are delivered before it.',
  }),
  log: Type.Array(AttemptView, { description: 'The last 20 attempts, oldest first.' }),
  created_at: time('When it was queued.'),
  updated_at: time(named('UpdatedAt', 'When it was last changed.')),
});

export const endpointExampleId = '0190a6f5-1111-7222-8333-444455556666';
const deliveryExampleId = '0190a6f5-2222-7222-8333-444455556666';

export const EndpointIdParams = Type.Object({
  id: withExample(uuid('ID of the endpoint.'), endpointExampleId),
});
export const DeliveryIdParams = Type.Object({
  ...EndpointIdParams.properties,
  delivery_id: withExample(uuid('ID of the delivery.'), deliveryExampleId),
});

export const endpointExample: JsonObject = {
  id: endpointExampleId,
  url: 'https://shop.example/hooks/postrider',
  description: 'The shop',
  format: 'postrider',
  types: ['message.received', 'message.failed'],
  ordering: 'none',
  enabled: true,
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  old_secret_until: null,
  version: 1,
  created_at: '2030-01-01T09:00:00.000Z',
  updated_at: '2030-01-01T09:00:00.000Z',
};

// No secret that signs anything: scanners for leaked secrets must not find one in this document.
export const newEndpointExample: JsonObject = { secret: 'whsec_EXAMPLEonlyNOTaREALsecret', ...endpointExample };

export const deliveryExample: JsonObject = {
  id: deliveryExampleId,
  endpoint_id: endpointExampleId,
  event_id: '0190a6f2-9a00-7d54-9b3a-000000000007',
  sequence: 7,
  type: 'message.received',
  state: 'pending',
  attempts: 1,
  next_attempt_at: '2030-01-01T09:05:05.500Z',
  overtaken: false,
  log: [
    {
      at: '2030-01-01T09:05:00.500Z',
      duration_ms: 84,
      status: 500,
      error: 'status',
      detail: 'It answered 500.',
      response: 'oops',
    },
  ],
  created_at: '2030-01-01T09:05:00.490Z',
  updated_at: '2030-01-01T09:05:00.590Z',
};

export const notPublicExample = faultExample('notPublic', 'validation_failed', {
  path: 'body.url',
  message: 'url must point to a public host.',
});

export const sameAddressExample = conflictExample(
  'sameAddress',
  'Another webhook endpoint of this tenant has this URL. Change that one.',
);
