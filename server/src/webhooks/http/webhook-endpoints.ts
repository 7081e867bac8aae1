import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { ApiProblem } from '#core/errors';
import type { JsonObject } from '#core/json';
import type { RouteContext } from '#http/deps';
import { givenOnly } from '#http/lists/filters';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf, requesterOf } from '#http/plugins/auth';
import {
  belowItem,
  deleteOperation,
  getOperation,
  listOperation,
  type Resource,
  updateOperation,
} from '#http/resource';
import { conflictExample, staleExample } from '#http/schemas/errors';
import { withExample } from '#http/schemas/fields';
import { problemOf } from '#http/validation/faults';
import { formatRfc3339, timeOrNull } from '#http/validation/rfc3339';
import {
  changeEndpoint,
  createEndpoint,
  type EndpointFields,
  type MadeEndpoint,
  removeEndpoint,
  requireAddress,
  requireEndpoint,
  requireEndpointFields,
  rotateSecret,
} from '#webhooks/actions/manage-endpoints';
import type { EndpointFormat, WebhookEndpoint } from '#webhooks/domain/webhook';
import { listEndpointsPage } from '#webhooks/store/webhook-endpoints';
import {
  ChangeEndpoint,
  type ChangeEndpointBody,
  CreateEndpoint,
  DEFAULT_SECRET_OVERLAP_S,
  EndpointIdParams,
  EndpointView,
  endpointExample,
  NewEndpointView,
  newEndpointExample,
  notPublicExample,
  RotateSecret,
  sameAddressExample,
} from './schemas/webhook-endpoint.ts';

export const webhookEndpoint: Resource<WebhookEndpoint> = {
  path: '/v1/webhook-endpoints',
  name: 'WebhookEndpoint',
  noun: 'endpoint',
  one: 'a webhook endpoint',
  many: 'webhook endpoints',
  tag: 'Events',
  scopes: { read: 'webhooks:read', write: 'webhooks:write' },
  params: EndpointIdParams,
  view: EndpointView,
  example: endpointExample,
  stale: staleExample('endpoint', 2),
  present: presentEndpoint,
};

const enabled = Type.Boolean({ description: 'true: only endpoints that receive events; false: only disabled ones.' });

const listWebhookEndpointsRoute = listOperation(webhookEndpoint, {
  description:
    'Returns the webhook endpoints, newest first: their URLs, the events they receive, and whether they respond. Their secrets are never returned.',
  query: { enabled: Type.Optional(withExample(enabled, true)) },
  // Cursors that were given out name it as a text.
  filter: (query) => ({ enabled: query.enabled === undefined ? undefined : String(query.enabled) }),
  read: ({ db }, { tenantId, window, filter }) =>
    listEndpointsPage(db, tenantId, filter.enabled === undefined ? {} : { enabled: filter.enabled === 'true' }, window),
  idOf: ({ endpointId }) => endpointId,
});

const NO_TOKEN = 'verify_token can only be given with the format network.';
const TOO_MANY_WAIT =
  'Too many requests of this tenant are waiting for a response from outside this service. Try again shortly.';
const DEFAULTS = { description: null, format: 'postrider', types: null, ordering: 'none', enabled: true } as const;

const createWebhookEndpointRoute = defineOperation({
  method: 'POST',
  path: '/v1/webhook-endpoints',
  operationId: 'createWebhookEndpoint',
  summary: 'Create a webhook endpoint',
  description:
    'Creates an endpoint. From now on, events are posted to it, signed according to Standard Webhooks, each at least once. The secret is shown only this once. A tenant can add each URL once, and at most MESSAGING_WEBHOOK_ENDPOINTS (20) of them. The host that a name resolves to is checked for each connection: only public hosts are contacted unless the operator allows more. With the format network, the URL is first requested with hub.mode, hub.challenge and hub.verify_token, and must return the challenge. The key needs events:read, and the read scopes for the event types: messages:read for message.received, contacts:read for contact.created.',
  tag: 'Events',
  scope: 'webhooks:write',
  body: CreateEndpoint,
  bodyExamples: {
    all: { summary: 'All event types', value: { url: 'https://shop.example/hooks/postrider' } },
    some: {
      summary: 'Inbound messages, in order',
      value: {
        url: 'https://shop.example/hooks/inbox',
        description: 'The inbox',
        types: ['message.received'],
        ordering: 'conversation',
      },
    },
  },
  takesIdempotencyKey: 'within',
  answer: {
    status: 201,
    description: 'The endpoint was created.',
    schema: NewEndpointView,
    example: newEndpointExample,
    headers: ['ETag'],
  },
  errors: ['secrets_unavailable'],
  errorExamples: [
    notPublicExample,
    sameAddressExample,
    conflictExample('tooManyEndpoints', 'A tenant can have at most 20 webhook endpoints. Delete one first.'),
  ],
  handle: (context) => {
    const {
      rt,
      linking: { keyring },
    } = context;
    return async (request, _reply, once) => {
      const { scopes: granted } = principalOf(request);
      const { url, format = DEFAULTS.format, verify_token: token } = request.body;
      const fields = { ...DEFAULTS, ...readEndpointInput(request.body), url, format };
      const input = { ...requesterOf(request), granted, fields };
      requireEndpointFields(rt, input);
      await requireVerified(context, request, { url, format, token });
      return once.change((db) => createEndpoint({ rt, db, keyring }, input), presentMadeEndpoint, presentKeptEndpoint);
    };
  },
});

interface Verified {
  readonly url: string;
  readonly format: EndpointFormat;
  /** What the receiver knows us by; undefined: it does not ask. */
  readonly token: string | undefined;
}

/** @throws ApiProblem validation_failed when the receiver does not say that it takes callbacks, overloaded */
async function requireVerified(
  { rt, outside, verifyEndpoint }: RouteContext,
  request: FastifyRequest,
  { url, format, token }: Verified,
): Promise<void> {
  if (format === 'postrider') {
    if (token !== undefined) throw problemOf([{ path: 'body.verify_token', message: NO_TOKEN }]);
    return;
  }
  const release = outside.take(principalOf(request));
  if (release === null) {
    rt.metrics.refused.inc({ door: 'api', reason: 'outside' });
    throw new ApiProblem('overloaded', { sentence: TOO_MANY_WAIT });
  }
  try {
    const fault = await verifyEndpoint(url, token ?? randomUUID());
    if (fault !== null) throw problemOf([{ path: 'body.url', message: `url ${fault}` }]);
  } finally {
    release();
  }
}

/** Another address of an endpoint that gets callbacks is asked like the first one. */
async function verifyMove(context: RouteContext, request: FastifyRequest, endpointId: string): Promise<void> {
  const { url, verify_token: token } = request.body as ChangeEndpointBody;
  if (url === undefined && token === undefined) return;
  const { format, ...before } = await requireEndpoint(context.db, principalOf(request).tenantId, endpointId);
  const moves = url !== undefined && url !== before.url;
  if (moves) requireAddress(context.rt, url);
  if (moves || format === 'postrider')
    await requireVerified(context, request, { url: url ?? before.url, format, token });
}

const getWebhookEndpointRoute = getOperation(webhookEndpoint, {
  description:
    'Returns the URL of the endpoint, the events it receives, and whether it responds. Its secret is never shown again.',
  find: ({ db }, tenantId, id) => requireEndpoint(db, tenantId, id),
});

const updateWebhookEndpointRoute = updateOperation(webhookEndpoint, {
  summary: 'Update, disable or enable a webhook endpoint',
  description:
    'Updates the endpoint; changes take effect within a second. With the format network, a new URL is verified first. A disabled endpoint receives nothing, and its pending deliveries are given up. When it is enabled again, it receives what happens from then on; use recover to get the events it missed. Unless the endpoint is or becomes disabled, the key needs the scopes that creating it requires.',
  body: ChangeEndpoint,
  bodyExamples: {
    disable: { summary: 'Disable', value: { enabled: false } },
    types: { summary: 'Change the event types', value: { types: ['message.received'], description: 'The inbox' } },
  },
  failures: [notPublicExample, sameAddressExample],
  update: async (context, { id: endpointId, ...requester }, request) => {
    const { rt, db } = context;
    const { scopes: granted } = principalOf(request);
    await verifyMove(context, request, endpointId);
    return changeEndpoint(rt, db, { ...requester, granted, endpointId }, readEndpointInput(request.body));
  },
});

const deleteWebhookEndpointRoute = deleteOperation(webhookEndpoint, {
  description: 'Deletes the endpoint and its deliveries. It no longer receives anything.',
  remove: ({ rt, db }, { id: endpointId, ...requester }) => removeEndpoint(rt, db, { ...requester, endpointId }),
});

const rotateWebhookSecretRoute = defineOperation({
  method: 'POST',
  ...belowItem(webhookEndpoint, 'rotate-secret', 'write'),
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate the secret of a webhook endpoint',
  description:
    'Creates a new secret and shows it only this once. For overlap_s, a day by default, webhook-signature contains one signature from each of the two secrets.',
  body: RotateSecret,
  bodyIsOptional: true,
  bodyExamples: { anHour: { summary: 'Keep both secrets valid for an hour', value: { overlap_s: 3_600 } } },
  takesIdempotencyKey: 'within',
  answer: {
    status: 200,
    description: 'The endpoint with its new secret.',
    schema: NewEndpointView,
    example: newEndpointExample,
    headers: ['ETag'],
  },
  errors: ['not_found', 'secrets_unavailable'],
  handle:
    ({ rt, linking: { keyring } }) =>
    async (request, _reply, once) => {
      const endpointId = request.params.id.toLowerCase();
      const overlapMs = (request.body?.overlap_s ?? DEFAULT_SECRET_OVERLAP_S) * 1000;
      const input = { ...requesterOf(request), endpointId, overlapMs };
      return once.change((db) => rotateSecret({ rt, db, keyring }, input), presentMadeEndpoint, presentKeptEndpoint);
    },
});

/** In the order of the documentation. */
export const webhookEndpointOperations: readonly Operation[] = [
  listWebhookEndpointsRoute,
  createWebhookEndpointRoute,
  getWebhookEndpointRoute,
  updateWebhookEndpointRoute,
  deleteWebhookEndpointRoute,
  rotateWebhookSecretRoute,
];

/** What the body says of an endpoint; a type that stands there twice counts once. */
function readEndpointInput(body: ChangeEndpointBody): Partial<EndpointFields> {
  const { url, description, types, ordering, enabled } = body;
  return givenOnly({ url, description, ordering, enabled, types: types && [...new Set(types)] });
}

/** An endpoint as the API shows it: never its secret. */
function presentEndpoint(endpoint: WebhookEndpoint): JsonObject {
  return {
    id: endpoint.endpointId,
    url: endpoint.url,
    description: endpoint.description,
    format: endpoint.format,
    types: endpoint.types === null || endpoint.format === 'network' ? null : [...endpoint.types],
    ordering: endpoint.ordering,
    enabled: endpoint.disabledReason === null,
    disabled_reason: endpoint.disabledReason,
    disabled_at: timeOrNull(endpoint.disabledMs),
    failing_since: timeOrNull(endpoint.failingSinceMs),
    old_secret_until: timeOrNull(endpoint.oldSecret?.untilMs ?? null),
    version: endpoint.version,
    created_at: formatRfc3339(endpoint.createdMs),
    updated_at: formatRfc3339(endpoint.updatedMs),
  };
}

/** The one answer that shows the secret. */
function presentMadeEndpoint({ endpoint, secret }: MadeEndpoint): JsonObject {
  return { secret, ...presentEndpoint(endpoint) };
}

/** What is kept for repetitions: the same without the secret, which must not lie in the database. */
function presentKeptEndpoint({ endpoint }: MadeEndpoint): JsonObject {
  return { secret: null, ...presentEndpoint(endpoint) };
}
