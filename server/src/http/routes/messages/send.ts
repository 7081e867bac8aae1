import type { SendRequest } from '#operations/accept-message';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { idempotencyClaim, markReplayed } from '../../plugins/idempotency.ts';
import { acceptedExample, sendErrorExamples, sendExamples } from '../../schemas/examples.ts';
import { AcceptedMessage, SendMessageBody } from '../../schemas/send-request.ts';
import { parseRfc3339 } from '../../validation/rfc3339.ts';

/** POST /v1/messages: the hot path. It costs one schema, one group commit and one small answer. */
export const sendMessage = defineOperation({
  method: 'POST',
  path: '/v1/messages',
  operationId: 'sendMessage',
  summary: 'Send a message',
  description:
    'Stores the message durably and answers 202; it is sent as soon as the limits of the network allow. Repeat a request safely with the same Idempotency-Key.',
  tag: 'Messages',
  scope: 'messages:write',
  body: SendMessageBody,
  bodyExamples: sendExamples,
  takesIdempotencyKey: true,
  answer: {
    status: 202,
    description: 'The message is stored and queued.',
    schema: AcceptedMessage,
    example: acceptedExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: ['no_sending_number', 'unknown_phone_number', 'unknown_reply_to', 'window_closed', 'overloaded'],
  errorExamples: sendErrorExamples,
  handle: ({ acceptor, rt }) => {
    return async (request, reply) => {
      const { tenantId } = principalOf(request);
      const outcome = await acceptor.accept(tenantId, sendRequest(request.body), idempotencyClaim(request));
      if (outcome.kind === 'replayed') markReplayed(rt.metrics, reply);
      reply.code(outcome.kind === 'replayed' ? outcome.statusCode : 202);
      return outcome.response;
    };
  },
});

function sendRequest(body: SendMessageBody): SendRequest {
  return {
    to: body.to,
    content: { type: 'text', body: body.body, previewUrl: body.preview_url ?? false },
    phoneNumberId: body.phone_number_id ?? null,
    campaignName: body.campaign_name ?? null,
    clientRef: body.client_ref ?? null,
    replyTo: body.reply_to?.toLowerCase() ?? null,
    priority: body.priority ?? null,
    sendAtMs: body.send_at === undefined ? null : parseRfc3339(body.send_at),
    expiresMs: body.expires_at === undefined ? null : parseRfc3339(body.expires_at),
    ttlS: body.ttl_s ?? null,
  };
}
