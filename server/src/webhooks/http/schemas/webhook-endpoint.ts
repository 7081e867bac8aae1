import Type, { type Static } from 'typebox';
import type { JsonObject } from '#core/json';
import { eventTypes } from '#events/domain/event';
import type { ErrorExample } from '#http/operation';
import { choiceOf, named, nullableText, nullableTime, text, time, uuid, withExample } from '#http/schemas/fields';
import { webhookStates } from '#webhooks/domain/webhook';

const MAX_URL = 2_000;
const MAX_DESCRIPTION = 500;
/** Longer than anybody takes to roll a secret out. */
const MAX_OVERLAP_S = 30 * 24 * 60 * 60;
export const DEFAULT_SECRET_OVERLAP_S = 24 * 60 * 60;

const orderings = ['none', 'conversation'] as const;
const orderingHelp =
  'none: as fast as the endpoint answers, in any order. conversation: events of one conversation one after the other; one that fails holds back only its own conversation, for 30 minutes at most.';
const reasons = ['person', 'gone', 'failing'];

const types = Type.Unsafe<(typeof eventTypes)[number][] | null>({
  type: ['array', 'null'],
  items: choiceOf(eventTypes, named('EventType', 'Type of an event.')),
  minItems: 1,
  maxItems: 200,
  description:
    'Types of events that it gets. null: all but audit.recorded, which must be named; also those that are added later.',
});

const shared = {
  id: uuid('Identifier of the endpoint.'),
  url: Type.String({ description: 'Where events are posted.' }),
  description: nullableText('What it is for.'),
  types,
  ordering: choiceOf(orderings, orderingHelp),
  enabled: Type.Boolean({ description: 'Whether it gets events.' }),
  disabled_reason: nullableText(
    'person: somebody switched it off; gone: it answered 410; failing: nothing succeeded for five days.',
    { enum: [...reasons, null] },
  ),
  disabled_at: nullableTime('Since when it gets nothing.'),
  failing_since: nullableTime('When the first attempt failed after the last that succeeded. null: the last one did.'),
  old_secret_until: nullableTime('Until when the secret before signs as well.'),
  version: Type.Integer({ description: 'Grows with each change; the ETag.' }),
  created_at: time('When it was added.'),
  updated_at: time('When it was last changed.'),
};

export const EndpointView = Type.Object(shared, named('WebhookEndpoint', 'A webhook endpoint, without its secret.'));

export const NewEndpointView = Type.Object(
  {
    secret: nullableText(
      'The secret that signs (whsec_…). It is shown this once; null when the answer is repeated for an Idempotency-Key.',
    ),
    ...shared,
  },
  named('NewWebhookEndpoint', 'A webhook endpoint with its new secret.'),
);

const changeable = {
  url: Type.Optional(text(MAX_URL, 'Where events are posted: https, and a public host.')),
  description: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      minLength: 1,
      maxLength: MAX_DESCRIPTION,
      description: 'What it is for.',
    }),
  ),
  types: Type.Optional(types),
  ordering: Type.Optional(choiceOf(orderings, orderingHelp)),
  enabled: Type.Optional(Type.Boolean({ description: 'Whether it gets events.' })),
};

export const CreateEndpoint = Type.Object(
  { ...changeable, url: text(MAX_URL, 'Where events are posted: https, and a public host.') },
  { additionalProperties: false, description: 'A webhook endpoint. By default it gets all types, in any order.' },
);
export const ChangeEndpoint = Type.Object(changeable, {
  additionalProperties: false,
  minProperties: 1,
  description: 'What is left out stays as it is.',
});
export type ChangeEndpointBody = Static<typeof ChangeEndpoint>;

/** Nothing will do: some clients cannot post without a body, others not with one. */
export const RotateSecret = Type.Unsafe<{ readonly overlap_s?: number } | null>({
  type: ['object', 'null'],
  properties: {
    overlap_s: Type.Integer({
      minimum: 0,
      maximum: MAX_OVERLAP_S,
      default: DEFAULT_SECRET_OVERLAP_S,
      description: 'Seconds for which the secret before signs as well; 0 ends it at once.',
    }),
  },
  additionalProperties: false,
  description: 'How long both secrets sign.',
});

export const TestEndpoint = Type.Object(
  { type: choiceOf(eventTypes, named('EventType', 'Type of the made-up event.')) },
  { additionalProperties: false, description: 'Which event to make up.' },
);

const recoverKinds = ['failed', 'missing', 'all'] as const;

export const RecoverEndpoint = Type.Object(
  {
    since: time('Events from this time on.'),
    until: Type.Optional(time('Events before this time. Default: now.')),
    only: Type.Optional(
      choiceOf(
        recoverKinds,
        'failed: those given up (the default). missing: those never tried, as of a time when the endpoint was disabled. all: both, and those that were delivered.',
      ),
    ),
    dry_run: Type.Optional(Type.Boolean({ description: 'Counts only. Default: false.' })),
  },
  { additionalProperties: false, description: 'What to deliver again.' },
);

export const RecoveredView = Type.Object(
  {
    matched: Type.Integer({ description: 'Events that are delivered again; of a dry run, that would be.' }),
    dry_run: Type.Boolean({ description: 'Whether it only counted.' }),
    has_more: Type.Boolean({ description: 'Whether the limit of 10,000 in one call was reached: ask again later.' }),
  },
  named('RecoveredWebhooks', 'What is delivered again.'),
);

const AttemptView = Type.Object(
  {
    at: time('When it began.'),
    duration_ms: Type.Integer({ description: 'How long it took.' }),
    status: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'HTTP status of the answer; null: there was none.',
    }),
    error: nullableText(
      'null: it succeeded. Else status, redirect, timeout, connection, tls, dns, address_refused, secret_unreadable or event_expired.',
    ),
    detail: nullableText('The error in words.'),
    response: nullableText('Beginning of the answer, at most 1 KB.'),
  },
  named('WebhookAttempt', 'One attempt.'),
);

export const DeliveryView = Type.Object(
  {
    id: uuid('Identifier of the delivery.'),
    endpoint_id: uuid('The endpoint.'),
    event_id: uuid('The event; the webhook-id of every attempt.'),
    sequence: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Number of the event; null: a made-up one.',
    }),
    type: Type.String({ description: 'Type of the event.' }),
    state: choiceOf(
      webhookStates,
      named('WebhookState', 'pending: an attempt is due now or later. failed: there will be none by itself.'),
    ),
    attempts: Type.Integer({ description: 'Attempts of the present schedule.' }),
    next_attempt_at: nullableTime('When the next attempt is due.'),
    overtaken: Type.Boolean({
      description: 'Whether it failed for so long that later events of its conversation are delivered before it.',
    }),
    log: Type.Array(AttemptView, { description: 'The last 20 attempts, oldest first.' }),
    created_at: time('When it was queued.'),
    updated_at: time('When it last changed.'),
  },
  named('WebhookDelivery', 'An event on its way to an endpoint.'),
);

export const EndpointIdParams = Type.Object({
  id: withExample(uuid('Identifier of the endpoint.'), '0190a6f5-1111-7222-8333-444455556666'),
});
export const DeliveryIdParams = Type.Object({
  ...EndpointIdParams.properties,
  delivery_id: withExample(uuid('Identifier of the delivery.'), '0190a6f5-2222-7222-8333-444455556666'),
});

export const endpointExample: JsonObject = {
  id: '0190a6f5-1111-7222-8333-444455556666',
  url: 'https://shop.example/hooks/postrider',
  description: 'The shop',
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
  id: '0190a6f5-2222-7222-8333-444455556666',
  endpoint_id: '0190a6f5-1111-7222-8333-444455556666',
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

const notPublic = 'url must lead to a public host.';

export const notPublicExample: ErrorExample = {
  name: 'notPublic',
  code: 'validation_failed',
  body: { error: notPublic, code: 'validation_failed', details: [{ path: 'body.url', message: notPublic }] },
};

export const endpointStaleExample: ErrorExample = {
  name: 'changedMeanwhile',
  code: 'precondition_failed',
  body: { error: 'The endpoint was changed meanwhile: its version is 2. Read it again.', code: 'precondition_failed' },
};

export const disabledEndpointExample: ErrorExample = {
  name: 'endpointDisabled',
  code: 'conflict',
  body: { error: 'This endpoint is disabled: enable it first.', code: 'conflict' },
};

export const sameAddressExample: ErrorExample = {
  name: 'sameAddress',
  code: 'conflict',
  body: { error: 'Another webhook endpoint of this tenant has this url: change that one.', code: 'conflict' },
};

export const tooManyEndpointsExample: ErrorExample = {
  name: 'tooManyEndpoints',
  code: 'conflict',
  body: { error: 'A tenant has at most 20 webhook endpoints: remove one first.', code: 'conflict' },
};
