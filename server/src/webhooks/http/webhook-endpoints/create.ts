import { defineOperation } from '#http/operation';
import { originOf, principalOf } from '#http/plugins/auth';
import { createEndpoint } from '#webhooks/actions/manage-endpoints';
import { presentKeptEndpoint, presentMadeEndpoint } from '#webhooks/http/present/webhook';
import {
  CreateEndpoint,
  NewEndpointView,
  newEndpointExample,
  notPublicExample,
  sameAddressExample,
  tooManyEndpointsExample,
} from '#webhooks/http/schemas/webhook-endpoint';
import { readEndpointInput } from './read-wish.ts';

const CREATED = 201;
const DEFAULTS = { description: null, types: null, ordering: 'none', enabled: true } as const;

export const createWebhookEndpointRoute = defineOperation({
  method: 'POST',
  path: '/v1/webhook-endpoints',
  operationId: 'createWebhookEndpoint',
  summary: 'Create a webhook endpoint',
  description:
    'Creates an endpoint. From now on, events are posted to it, signed according to Standard Webhooks, each at least once. The secret is shown only this once. A tenant can add each address once, and at most MESSAGING_WEBHOOK_ENDPOINTS (20) of them. The host that a name resolves to is checked for each connection: only public hosts are contacted unless the operator allows more. The key needs events:read, and the read scopes for the event types: messages:read for message.received, contacts:read for contact.created.',
  tag: 'Events',
  scope: 'webhooks:write',
  body: CreateEndpoint,
  bodyExamples: {
    all: { summary: 'Everything', value: { url: 'https://shop.example/hooks/postrider' } },
    some: {
      summary: 'What customers write, in order',
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
    status: CREATED,
    description: 'The endpoint was created.',
    schema: NewEndpointView,
    example: newEndpointExample,
    headers: ['ETag', 'Idempotent-Replayed'],
  },
  errors: ['conflict', 'secrets_unavailable'],
  errorExamples: [notPublicExample, sameAddressExample, tooManyEndpointsExample],
  handle: ({ rt, linking: { keyring } }) => {
    return async (request, _reply, once) => {
      const { url } = request.body;
      const { tenantId, scopes: granted } = principalOf(request);
      const fields = { ...DEFAULTS, ...readEndpointInput(request.body), url };
      const asked = { tenantId, granted, origin: originOf(request), fields };
      return once.change((db) => createEndpoint({ rt, db, keyring }, asked), presentMadeEndpoint, presentKeptEndpoint);
    };
  },
});
