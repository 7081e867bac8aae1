import { idempotencyClaim } from '#access/http/idempotency';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { NoBody } from '#http/schemas/parameters';
import { resendDelivery } from '#webhooks/actions/repeat-deliveries';
import {
  DeliveryIdParams,
  DeliveryView,
  deliveryExample,
  disabledEndpointExample,
} from '#webhooks/http/schemas/webhook-endpoint';
import { answerDelivery, keptDelivery } from './answer-delivery.ts';

export const resendDeliveryRoute = defineOperation({
  method: 'POST',
  path: '/v1/webhook-endpoints/:id/deliveries/:delivery_id/resend',
  operationId: 'resendWebhookDelivery',
  summary: 'Redeliver an event',
  description: 'Sends the event again immediately, with the same webhook-id and a full schedule of attempts.',
  tag: 'Events',
  scope: 'webhooks:write',
  params: DeliveryIdParams,
  body: NoBody,
  takesIdempotencyKey: true,
  answer: {
    status: 202,
    description: 'The delivery is queued.',
    schema: DeliveryView,
    example: deliveryExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: ['not_found', 'conflict'],
  errorExamples: [disabledEndpointExample],
  handle: ({ rt, db }) => {
    return async (request, reply) => {
      const once = await resendDelivery(rt, db, {
        tenantId: principalOf(request).tenantId,
        endpointId: request.params.id.toLowerCase(),
        deliveryId: request.params.delivery_id.toLowerCase(),
        claim: idempotencyClaim(request),
        keep: keptDelivery,
      });
      return answerDelivery(rt, reply, once);
    };
  },
});
