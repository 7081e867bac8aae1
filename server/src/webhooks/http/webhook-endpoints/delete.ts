import { defineOperation } from '#http/operation';
import { originOf, principalOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';
import { deletedAnswer } from '#http/schemas/deleted';
import { removeEndpoint } from '#webhooks/actions/manage-endpoints';
import { EndpointIdParams, endpointExample, endpointStaleExample } from '#webhooks/http/schemas/webhook-endpoint';

export const deleteWebhookEndpointRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/webhook-endpoints/:id',
  operationId: 'deleteWebhookEndpoint',
  summary: 'Delete a webhook endpoint',
  description: 'Deletes the endpoint and its deliveries. It no longer receives anything.',
  tag: 'Events',
  scope: 'webhooks:write',
  params: EndpointIdParams,
  requestHeaders: [ifMatchHeader],
  answer: deletedAnswer('The endpoint was deleted.', endpointExample.id),
  errors: ['not_found', 'precondition_failed'],
  errorExamples: [endpointStaleExample],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const endpointId = request.params.id.toLowerCase();
      const asked = { tenantId, endpointId, origin: originOf(request), versions: matchingVersions(request) };
      const { endpointId: id } = await removeEndpoint(rt, db, asked);
      return { id, status: 'deleted' };
    };
  },
});
