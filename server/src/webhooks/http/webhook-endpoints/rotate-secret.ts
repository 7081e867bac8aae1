import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { rotateSecret } from '#webhooks/actions/manage-endpoints';
import { presentKeptEndpoint, presentMadeEndpoint } from '#webhooks/http/present/webhook';
import {
  DEFAULT_SECRET_OVERLAP_S,
  EndpointIdParams,
  NewEndpointView,
  newEndpointExample,
  RotateSecret,
} from '#webhooks/http/schemas/webhook-endpoint';

const OK = 200;

export const rotateWebhookSecretRoute = defineOperation({
  method: 'POST',
  path: '/v1/webhook-endpoints/:id/rotate-secret',
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate the secret of a webhook endpoint',
  description:
    'Creates a new secret and shows it only this once. For overlap_s, a day by default, webhook-signature contains one signature from each of the two secrets.',
  tag: 'Events',
  scope: 'webhooks:write',
  params: EndpointIdParams,
  body: RotateSecret,
  bodyIsOptional: true,
  bodyExamples: { anHour: { summary: 'An hour to roll it out', value: { overlap_s: 3_600 } } },
  takesIdempotencyKey: 'within',
  answer: {
    status: OK,
    description: 'The endpoint with its new secret.',
    schema: NewEndpointView,
    example: newEndpointExample,
    headers: ['ETag', 'Idempotent-Replayed'],
  },
  errors: ['not_found', 'secrets_unavailable'],
  handle: ({ rt, linking: { keyring } }) => {
    return async (request, _reply, once) => {
      const asked = {
        ...requesterOf(request),
        endpointId: request.params.id.toLowerCase(),
        overlapMs: (request.body?.overlap_s ?? DEFAULT_SECRET_OVERLAP_S) * 1000,
      };
      return once.change((db) => rotateSecret({ rt, db, keyring }, asked), presentMadeEndpoint, presentKeptEndpoint);
    };
  },
});
