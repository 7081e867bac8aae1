import { resendDelivery } from '#operations/repeat-deliveries';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { idempotencyClaim } from '../../plugins/idempotency.ts';
import { NoBody } from '../../schemas/parameters.ts';
import {
  DeliveryIdParams,
  DeliveryView,
  deliveryExample,
  disabledEndpointExample,
} from '../../schemas/webhook-endpoint.ts';
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
