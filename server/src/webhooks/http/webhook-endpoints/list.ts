import Type from 'typebox';
import { answerList } from '#http/lists/answer-list';
import { givenOnly } from '#http/lists/filters';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation } from '#http/operation';
import { queryErrorExamples } from '#http/schemas/examples';
import { withExample } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';
import { presentEndpoint } from '#webhooks/http/present/webhook';
import { EndpointView, endpointExample } from '#webhooks/http/schemas/webhook-endpoint';
import { listEndpointsPage } from '#webhooks/store/webhook-endpoints';

const enabled = Type.Boolean({ description: 'true: only endpoints that receive events; false: only disabled ones.' });
const Query = Type.Object(
  { ...pageQuery, enabled: Type.Optional(withExample(enabled, true)) },
  { additionalProperties: false },
);

export const listWebhookEndpointsRoute = defineOperation({
  method: 'GET',
  path: '/v1/webhook-endpoints',
  operationId: 'listWebhookEndpoints',
  summary: 'List webhook endpoints',
  description:
    'Returns the webhook endpoints, newest first: their addresses, the events they receive, and whether they respond. Their secrets are never returned.',
  tag: 'Events',
  scope: 'webhooks:read',
  query: Query,
  answer: pageAnswer('webhook endpoints', EndpointView, endpointExample),
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ db, cursorKey }) => {
    return (request, reply) => {
      const { enabled } = request.query;
      const filter = givenOnly({ enabled });
      return answerList(request, reply, {
        cursorKey,
        name: 'webhook_endpoints',
        filter: { enabled: enabled === undefined ? enabled : String(enabled) },
        read: (tenantId, window) => listEndpointsPage(db, tenantId, filter, window),
        idOf: ({ endpointId }) => endpointId,
        present: presentEndpoint,
      });
    };
  },
});
