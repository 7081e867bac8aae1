import { demand } from '#operations/manage-endpoints';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { tagVersion } from '../../plugins/if-match.ts';
import { presentEndpoint } from '../../present/webhook.ts';
import { EndpointIdParams, EndpointView, endpointExample } from '../../schemas/webhook-endpoint.ts';

export const getEndpoint = defineOperation({
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
    return async (request, reply) => {
      const endpoint = await demand(db, principalOf(request).tenantId, request.params.id.toLowerCase());
      tagVersion(reply, endpoint.version);
      return presentEndpoint(endpoint);
    };
  },
});
