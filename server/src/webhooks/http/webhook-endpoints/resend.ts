import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { NoBody } from '#http/schemas/parameters';
import { resendDelivery } from '#webhooks/actions/repeat-deliveries';
import { presentDelivery } from '#webhooks/http/present/webhook';
import {
  DeliveryIdParams,
  DeliveryView,
  deliveryExample,
  disabledEndpointExample,
} from '#webhooks/http/schemas/webhook-endpoint';

export const resendWebhookDeliveryRoute = defineOperation({
  method: 'POST',
  path: '/v1/webhook-endpoints/:id/deliveries/:delivery_id/resend',
  operationId: 'resendWebhookDelivery',
  summary: 'Redeliver an event',
  description: 'Sends the event again immediately, with the same webhook-id and a full schedule of attempts.',
  tag: 'Events',
  scope: 'webhooks:write',
  params: DeliveryIdParams,
  body: NoBody,
  takesIdempotencyKey: 'within',
  answer: {
    status: 202,
    description: 'The delivery is queued.',
    schema: DeliveryView,
    example: deliveryExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: ['not_found', 'conflict'],
  errorExamples: [disabledEndpointExample],
  handle: ({ rt }) => {
    return async (request, _reply, once) => {
      const asked = {
        tenantId: principalOf(request).tenantId,
        endpointId: request.params.id.toLowerCase(),
        deliveryId: request.params.delivery_id.toLowerCase(),
      };
      return once.change((db) => resendDelivery(rt, db, asked), presentDelivery);
    };
  },
});
