import Type from 'typebox';
import { webhookStates } from '#core/webhook';
import { demand } from '#operations/manage-endpoints';
import { listDeliveriesPage } from '#storage/webhook-deliveries';
import { answerList } from '../../lists/answer-list.ts';
import { givenOnly } from '../../lists/filters.ts';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { presentDelivery } from '../../present/webhook.ts';
import { eventTypeName } from '../../schemas/event.ts';
import { pageExample, queryErrorExamples } from '../../schemas/examples.ts';
import { choiceOf, uuid, withExample } from '../../schemas/fields.ts';
import { listOf, pageQuery } from '../../schemas/lists.ts';
import { DeliveryView, deliveryExample, EndpointIdParams } from '../../schemas/webhook-endpoint.ts';

const eventId = '0190a6f2-9a00-7d54-9b3a-000000000007';
const Query = Type.Object(
  {
    ...pageQuery,
    state: Type.Optional(withExample(choiceOf(webhookStates, 'Only deliveries in this state.'), 'failed')),
    type: Type.Optional(withExample(eventTypeName, 'message.received')),
    event_id: Type.Optional(withExample(uuid('Only that of this event.'), eventId)),
  },
  { additionalProperties: false },
);

export const listDeliveries = defineOperation({
  method: 'GET',
  path: '/v1/webhook-endpoints/:id/deliveries',
  operationId: 'listWebhookDeliveries',
  summary: 'List the deliveries of a webhook endpoint',
  description:
    'Returns deliveries, newest first, each with its attempts: when they were made, how long they took, and what was returned. Deliveries are kept for 30 days.',
  tag: 'Events',
  scope: 'webhooks:read',
  params: EndpointIdParams,
  query: Query,
  answer: {
    status: 200,
    description: 'A page of deliveries.',
    schema: listOf(DeliveryView, 'A page of deliveries, newest first.'),
    example: pageExample(deliveryExample),
    headers: ['Link'],
  },
  errors: ['not_found'],
  errorExamples: queryErrorExamples,
  handle: ({ db, cursorKey }) => {
    return async (request, reply) => {
      const { endpointId } = await demand(db, principalOf(request).tenantId, request.params.id.toLowerCase());
      const { state, type, event_id: event } = request.query;
      const filter = givenOnly({ state, type, eventId: event?.toLowerCase() });
      return answerList(request, reply, {
        cursorKey,
        name: `webhook_deliveries/${endpointId}`,
        filter,
        read: (tenantId, window) => listDeliveriesPage(db, { tenantId, endpointId }, filter, window),
        idOf: ({ deliveryId }) => deliveryId,
        present: presentDelivery,
      });
    };
  },
});
