import Type from 'typebox';
import { listEndpointsPage } from '#storage/webhook-endpoints';
import { answerList } from '../../lists/answer-list.ts';
import { givenOnly } from '../../lists/filters.ts';
import { defineOperation } from '../../operation.ts';
import { presentEndpoint } from '../../present/webhook.ts';
import { pageExample, queryErrorExamples } from '../../schemas/examples.ts';
import { withExample } from '../../schemas/fields.ts';
import { listOf, pageQuery } from '../../schemas/lists.ts';
import { EndpointView, endpointExample } from '../../schemas/webhook-endpoint.ts';

const enabled = Type.Boolean({ description: 'true: only endpoints that receive events; false: only disabled ones.' });
const Query = Type.Object(
  { ...pageQuery, enabled: Type.Optional(withExample(enabled, true)) },
  { additionalProperties: false },
);

export const listEndpoints = defineOperation({
  method: 'GET',
  path: '/v1/webhook-endpoints',
  operationId: 'listWebhookEndpoints',
  summary: 'List webhook endpoints',
  description:
    'Returns the webhook endpoints, newest first: their addresses, the events they receive, and whether they respond. Their secrets are never returned.',
  tag: 'Events',
  scope: 'webhooks:read',
  query: Query,
  answer: {
    status: 200,
    description: 'A page of endpoints.',
    schema: listOf(EndpointView, 'A page of webhook endpoints, newest first.'),
    example: pageExample(endpointExample),
    headers: ['Link'],
  },
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
