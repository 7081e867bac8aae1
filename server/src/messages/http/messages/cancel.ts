import { runOnce } from '#access/actions/run-once';
import { idempotencyClaim, markReplayed } from '#access/http/idempotency';
import { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { HttpDeps } from '#http/deps';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { cancelErrorExamples, canceledExample } from '#http/schemas/examples';
import { MessageIdParams, NoBody } from '#http/schemas/parameters';
import { cancelMessage } from '#messages/actions/cancel-message';
import { presentMessage } from '#messages/http/present/message';
import { OutboundMessage } from '#messages/http/schemas/message';
import { findMessage } from '#messages/store/message-reads';

export const cancelMessageRoute = defineOperation({
  method: 'POST',
  path: '/v1/messages/:id/cancel',
  operationId: 'cancelMessage',
  summary: 'Cancel a queued message',
  description:
    'Cancels a message that is still queued. For a message that is being sent or was sent, the response is 409.',
  tag: 'Messages',
  scope: 'messages:write',
  params: MessageIdParams,
  body: NoBody,
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    description: 'The message, now failed with the code canceled.',
    schema: OutboundMessage,
    example: canceledExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: ['not_found', 'conflict'],
  errorExamples: cancelErrorExamples,
  handle: (context) => {
    return async (request, reply) => {
      const { tenantId } = principalOf(request);
      const id = request.params.id.toLowerCase();
      const claim = idempotencyClaim(request);
      if (claim === null) return cancelAndPresent(context, tenantId, id);
      const work = async () => ({ statusCode: 200, body: await cancelAndPresent(context, tenantId, id) });
      const outcome = await runOnce(context.rt, context.db, tenantId, claim, work);
      reply.code(outcome.statusCode);
      if (outcome.replayed) markReplayed(context.rt.metrics, reply);
      return outcome.body;
    };
  },
});

async function cancelAndPresent({ rt, db }: HttpDeps, tenantId: TenantId, id: string): Promise<JsonObject> {
  const outcome = await cancelMessage(rt, db, tenantId, id);
  if (outcome.kind === 'too_late') {
    throw new ApiProblem('conflict', {
      sentence: `This message is already ${outcome.status}; only a queued message can be canceled.`,
    });
  }
  const message = outcome.kind === 'canceled' ? await findMessage(db, tenantId, id) : null;
  if (message === null) throw new ApiProblem('not_found');
  return presentMessage(message);
}
