import Type from 'typebox';
import { eventTypeName } from '#events/http/schemas/event';
import { answerList } from '#http/lists/answer-list';
import { givenOnly } from '#http/lists/filters';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { queryErrorExamples } from '#http/schemas/examples';
import { choiceOf, named, uuid, withExample } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';
import { requireEndpoint } from '#webhooks/actions/manage-endpoints';
import { webhookStates } from '#webhooks/domain/webhook';
import { presentDelivery } from '#webhooks/http/present/webhook';
import { DeliveryView, deliveryExample, EndpointIdParams } from '#webhooks/http/schemas/webhook-endpoint';
import { listDeliveriesPage } from '#webhooks/store/webhook-deliveries';

const eventId = '0190a6f2-9a00-7d54-9b3a-000000000007';
const Query = Type.Object(
  {
    ...pageQuery,
    state: Type.Optional(
      withExample(choiceOf(webhookStates, named('WebhookState', 'Only deliveries in this state.')), 'failed'),
    ),
    type: Type.Optional(withExample(eventTypeName, 'message.received')),
    event_id: Type.Optional(withExample(uuid('Only that of this event.'), eventId)),
  },
  { additionalProperties: false },
);

export const listWebhookDeliveriesRoute = defineOperation({
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
  answer: pageAnswer('deliveries', DeliveryView, deliveryExample),
  errors: ['not_found'],
  errorExamples: queryErrorExamples,
  handle: ({ db, cursorKey }) => {
    return async (request, reply) => {
      const { endpointId } = await requireEndpoint(db, principalOf(request).tenantId, request.params.id.toLowerCase());
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
