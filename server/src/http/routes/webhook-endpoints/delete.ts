import Type from 'typebox';
import { removeEndpoint } from '#operations/manage-endpoints';
import { defineOperation } from '../../operation.ts';
import { originOf, principalOf } from '../../plugins/auth.ts';
import { ifMatchHeader, matchingVersions } from '../../plugins/if-match.ts';
import { uuid } from '../../schemas/fields.ts';
import { EndpointIdParams, endpointExample, endpointStaleExample } from '../../schemas/webhook-endpoint.ts';

const Removed = Type.Object(
  { id: uuid('Identifier of the endpoint.'), removed: Type.Boolean({ description: 'true.' }) },
  { description: 'The endpoint was deleted.' },
);

export const removeEndpointRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/webhook-endpoints/:id',
  operationId: 'deleteWebhookEndpoint',
  summary: 'Delete a webhook endpoint',
  description: 'Deletes the endpoint and its deliveries. It no longer receives anything.',
  tag: 'Events',
  scope: 'webhooks:write',
  params: EndpointIdParams,
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The endpoint was deleted.',
    schema: Removed,
    example: { id: endpointExample.id ?? '', removed: true },
  },
  errors: ['not_found', 'precondition_failed'],
  errorExamples: [endpointStaleExample],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const endpointId = request.params.id.toLowerCase();
      const asked = { tenantId, endpointId, origin: originOf(request), versions: matchingVersions(request) };
      const { endpointId: id } = await removeEndpoint(rt, db, asked);
      return { id, removed: true };
    };
  },
});
