import { defineOperation } from '#http/operation';
import { originOf, principalOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';
import { changeEndpoint } from '#webhooks/actions/manage-endpoints';
import { presentEndpoint } from '#webhooks/http/present/webhook';
import {
  ChangeEndpoint,
  EndpointIdParams,
  EndpointView,
  endpointExample,
  endpointStaleExample,
  notPublicExample,
  sameAddressExample,
} from '#webhooks/http/schemas/webhook-endpoint';
import { readEndpointInput } from './read-wish.ts';

export const updateWebhookEndpointRoute = defineOperation({
  method: 'PATCH',
  path: '/v1/webhook-endpoints/:id',
  operationId: 'updateWebhookEndpoint',
  summary: 'Update, disable or enable a webhook endpoint',
  description:
    'Updates the endpoint; changes take effect within a second. A disabled endpoint receives nothing, and its pending deliveries are given up. When it is enabled again, it receives what happens from then on; use recover to get the events it missed. Unless the endpoint is or becomes disabled, the key needs the scopes that creating it requires.',
  tag: 'Events',
  scope: 'webhooks:write',
  params: EndpointIdParams,
  body: ChangeEndpoint,
  bodyExamples: {
    disable: { summary: 'Disable it', value: { enabled: false } },
    types: { summary: 'Other types', value: { types: ['message.received'], description: 'The inbox' } },
  },
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The updated endpoint.',
    schema: EndpointView,
    example: endpointExample,
    headers: ['ETag'],
  },
  errors: ['not_found', 'conflict', 'precondition_failed'],
  errorExamples: [notPublicExample, sameAddressExample, endpointStaleExample],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { tenantId, scopes: granted } = principalOf(request);
      const endpointId = request.params.id.toLowerCase();
      const asked = { tenantId, granted, endpointId, origin: originOf(request), versions: matchingVersions(request) };
      const endpoint = await changeEndpoint(rt, db, asked, readEndpointInput(request.body));
      return presentEndpoint(endpoint);
    };
  },
});
