import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { sendExample } from '#webhooks/actions/repeat-deliveries';
import { presentDelivery } from '#webhooks/http/present/webhook';
import {
  DeliveryView,
  deliveryExample,
  disabledEndpointExample,
  EndpointIdParams,
  TestEndpoint,
} from '#webhooks/http/schemas/webhook-endpoint';

export const testEndpointRoute = defineOperation({
  method: 'POST',
  path: '/v1/webhook-endpoints/:id/test',
  operationId: 'testWebhookEndpoint',
  summary: 'Send a test event',
  description:
    'Sends a test event of any type, regardless of the types the endpoint receives. It is signed and retried like any other event. Its sequence is 0, and it does not appear in any feed. The list of deliveries shows its outcome.',
  tag: 'Events',
  scope: 'webhooks:write',
  params: EndpointIdParams,
  body: TestEndpoint,
  bodyExamples: { received: { summary: 'A message of a customer', value: { type: 'message.received' } } },
  takesIdempotencyKey: 'within',
  answer: {
    status: 202,
    description: 'The event is queued.',
    schema: DeliveryView,
    example: deliveryExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: ['not_found', 'conflict'],
  errorExamples: [disabledEndpointExample],
  handle: ({ rt, exampleEvent }) => {
    return async (request, _reply, once) => {
      const { tenantId } = principalOf(request);
      const { type } = request.body;
      const asked = { tenantId, endpointId: request.params.id.toLowerCase(), type, event: exampleEvent(type) };
      return once.change((db) => sendExample(rt, db, asked), presentDelivery);
    };
  },
});
