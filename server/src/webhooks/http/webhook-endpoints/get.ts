import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { requireEndpoint } from '#webhooks/actions/manage-endpoints';
import { presentEndpoint } from '#webhooks/http/present/webhook';
import { EndpointIdParams, EndpointView, endpointExample } from '#webhooks/http/schemas/webhook-endpoint';

export const getWebhookEndpointRoute = defineOperation({
  method: 'GET',
  path: '/v1/webhook-endpoints/:id',
  operationId: 'getWebhookEndpoint',
  summary: 'Get a webhook endpoint',
  description:
    'Returns the address of the endpoint, the events it receives, and whether it responds. Its secret is never shown again.',
  tag: 'Events',
  scope: 'webhooks:read',
  params: EndpointIdParams,
  answer: {
    status: 200,
    description: 'The endpoint.',
    schema: EndpointView,
    example: endpointExample,
    headers: ['ETag'],
  },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request) => {
      const endpoint = await requireEndpoint(db, principalOf(request).tenantId, request.params.id.toLowerCase());
      return presentEndpoint(endpoint);
    };
  },
});
