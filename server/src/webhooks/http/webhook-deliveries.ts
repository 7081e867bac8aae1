import Type from 'typebox';
import type { JsonObject } from '#core/json';
import { eventTypeName } from '#events/http/schemas/event';
import { answerList } from '#http/lists/answer-list';
import { givenOnly } from '#http/lists/filters';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { belowItem } from '#http/resource';
import { conflictExample } from '#http/schemas/errors';
import { choiceOf, named, queryOf, uuid, withExample } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';
import { NoBody } from '#http/schemas/parameters';
import { formatRfc3339, parseRfc3339, timeOrNull } from '#http/validation/rfc3339';
import { requireEndpoint } from '#webhooks/actions/manage-endpoints';
import { recoverDeliveries, resendDelivery, sendExample } from '#webhooks/actions/repeat-deliveries';
import { type WebhookAttempt, type WebhookDelivery, webhookStates } from '#webhooks/domain/webhook';
import { listDeliveriesPage } from '#webhooks/store/webhook-deliveries';
import {
  DeliveryIdParams,
  DeliveryView,
  deliveryExample,
  RecoverEndpoint,
  RecoveredView,
  TestEndpoint,
} from './schemas/webhook-endpoint.ts';
import { webhookEndpoint } from './webhook-endpoints.ts';

const disabledEndpointExample = conflictExample('endpointDisabled', 'This endpoint is disabled. Enable it first.');

const testEndpointRoute = defineOperation({
  method: 'POST',
  ...belowItem(webhookEndpoint, 'test', 'write'),
  operationId: 'testWebhookEndpoint',
  summary: 'Send a test event',
  description:
    'Sends a test event of any type, regardless of the types the endpoint receives. It is signed and retried like any other event. Its sequence is 0, and it does not appear in any feed. The list of deliveries shows its outcome.',
  body: TestEndpoint,
  bodyExamples: { received: { summary: 'An inbound message', value: { type: 'message.received' } } },
  takesIdempotencyKey: 'within',
  answer: { status: 202, description: 'The event is queued.', schema: DeliveryView, example: deliveryExample },
  errorExamples: [disabledEndpointExample],
  handle: (context) => async (request, _reply, once) => {
    const { tenantId } = principalOf(request);
    const { type } = request.body;
    const input = { tenantId, endpointId: request.params.id.toLowerCase(), type, event: context.exampleEvent(type) };
    return once.change((db) => sendExample(context.rt, db, input), presentDelivery);
  },
});

const eventId = '0190a6f2-9a00-7d54-9b3a-000000000007';

const listWebhookDeliveriesRoute = defineOperation({
  method: 'GET',
  ...belowItem(webhookEndpoint, 'deliveries', 'read'),
  operationId: 'listWebhookDeliveries',
  summary: 'List the deliveries of a webhook endpoint',
  description:
    'Returns deliveries, newest first, each with its attempts: when they were made, how long they took, and what was returned. Deliveries are kept for 30 days.',
  query: queryOf({
    ...pageQuery,
    state: Type.Optional(
      withExample(choiceOf(webhookStates, named('WebhookState', 'Only deliveries in this state.')), 'failed'),
    ),
    type: Type.Optional(withExample(eventTypeName, 'message.received')),
    event_id: Type.Optional(withExample(uuid('Only the delivery of this event.'), eventId)),
  }),
  answer: pageAnswer('deliveries', DeliveryView, deliveryExample),
  handle: (context) => async (request, reply) => {
    const { endpointId } = await requireEndpoint(
      context.db,
      principalOf(request).tenantId,
      request.params.id.toLowerCase(),
    );
    const { state, type, event_id: event } = request.query;
    const filter = givenOnly({ state, type, eventId: event?.toLowerCase() });
    return answerList(request, reply, {
      cursorKey: context.cursorKey,
      name: `webhook_deliveries/${endpointId}`,
      filter,
      read: (tenantId, window) => listDeliveriesPage(context.db, { tenantId, endpointId }, filter, window),
      idOf: ({ deliveryId }) => deliveryId,
      present: presentDelivery,
    });
  },
});

const resendWebhookDeliveryRoute = defineOperation({
  method: 'POST',
  ...belowItem(webhookEndpoint, 'deliveries/:delivery_id/resend', 'write'),
  operationId: 'resendWebhookDelivery',
  summary: 'Redeliver an event',
  description: 'Sends the event again immediately, with the same webhook-id and a full schedule of attempts.',
  params: DeliveryIdParams,
  body: NoBody,
  takesIdempotencyKey: 'within',
  answer: { status: 202, description: 'The delivery is queued.', schema: DeliveryView, example: deliveryExample },
  errorExamples: [disabledEndpointExample],
  handle: (context) => async (request, _reply, once) => {
    const input = {
      tenantId: principalOf(request).tenantId,
      endpointId: request.params.id.toLowerCase(),
      deliveryId: request.params.delivery_id.toLowerCase(),
    };
    return once.change((db) => resendDelivery(context.rt, db, input), presentDelivery);
  },
});

const recoverWebhookEndpointRoute = defineOperation({
  method: 'POST',
  ...belowItem(webhookEndpoint, 'recover', 'write'),
  operationId: 'recoverWebhookEndpoint',
  summary: 'Redeliver missed events',
  description:
    'Queues the events of a period again: those that were given up, or those that were never tried because the endpoint was disabled. At most 10,000 per request.',
  body: RecoverEndpoint,
  bodyExamples: {
    failed: { summary: 'Redeliver failed events', value: { since: '2030-01-01T00:00:00Z', only: 'failed' } },
    count: {
      summary: 'Count events that were never tried',
      value: { since: '2030-01-01T00:00:00Z', until: '2030-01-02T00:00:00Z', only: 'missing', dry_run: true },
    },
  },
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    description: 'The number of events that are delivered again.',
    schema: RecoveredView,
    example: { matched: 42, dry_run: false, has_more: false },
  },
  errorExamples: [disabledEndpointExample],
  handle:
    ({ rt, db }) =>
    async (request) => {
      const { tenantId } = principalOf(request);
      const { since, until, only = 'failed', dry_run: dryRun = false } = request.body;
      const { matched, hasMore } = await recoverDeliveries(rt, db, {
        tenantId,
        endpointId: request.params.id.toLowerCase(),
        sinceMs: parseRfc3339(since) ?? 0,
        untilMs: until === undefined ? rt.clock.now() + 1 : (parseRfc3339(until) ?? 0),
        only,
        dryRun,
      });
      return { matched, dry_run: dryRun, has_more: hasMore };
    },
});

/** In the order of the documentation. */
export const webhookDeliveryOperations: readonly Operation[] = [
  testEndpointRoute,
  listWebhookDeliveriesRoute,
  resendWebhookDeliveryRoute,
  recoverWebhookEndpointRoute,
];

function presentDelivery(delivery: WebhookDelivery): JsonObject {
  return {
    id: delivery.deliveryId,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    sequence: delivery.sequence,
    type: delivery.type,
    state: delivery.state,
    attempts: delivery.attempts,
    next_attempt_at: timeOrNull(delivery.dueMs),
    overtaken: delivery.overtaken,
    log: delivery.log.map(presentAttempt),
    created_at: formatRfc3339(delivery.createdMs),
    updated_at: formatRfc3339(delivery.updatedMs),
  };
}

function presentAttempt(attempt: WebhookAttempt): JsonObject {
  return {
    at: formatRfc3339(attempt.atMs),
    duration_ms: attempt.durationMs,
    status: attempt.status,
    error: attempt.error,
    detail: attempt.detail,
    response: attempt.response,
  };
}
