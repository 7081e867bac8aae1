import { idempotencyClaim } from '#access/http/idempotency';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { sendExample } from '#webhooks/actions/repeat-deliveries';
import {
  DeliveryView,
  deliveryExample,
  disabledEndpointExample,
  EndpointIdParams,
  TestEndpoint,
} from '#webhooks/http/schemas/webhook-endpoint';
import { answerDelivery, keptDelivery } from './answer-delivery.ts';

export const testEndpoint = defineOperation({
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
  takesIdempotencyKey: true,
  answer: {
    status: 202,
    description: 'The event is queued.',
    schema: DeliveryView,
    example: deliveryExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: ['not_found', 'conflict'],
  errorExamples: [disabledEndpointExample],
  handle: ({ rt, db, exampleEvent }) => {
    return async (request, reply) => {
      const { type } = request.body;
      const once = await sendExample(rt, db, {
        tenantId: principalOf(request).tenantId,
        endpointId: request.params.id.toLowerCase(),
        type,
        event: exampleEvent(type),
        claim: idempotencyClaim(request),
        keep: keptDelivery,
      });
      return answerDelivery(rt, reply, once);
    };
  },
});
