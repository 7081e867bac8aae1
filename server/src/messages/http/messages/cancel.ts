import { ApiProblem } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { cancelErrorExamples, canceledExample } from '#http/schemas/examples';
import { MessageIdParams, NoBody } from '#http/schemas/parameters';
import { cancelMessage } from '#messages/actions/cancel-message';
import { presentMessage } from '#messages/http/present/message';
import { OutboundMessageView } from '#messages/http/schemas/message';
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
    schema: OutboundMessageView,
    example: canceledExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: ['not_found', 'conflict'],
  errorExamples: cancelErrorExamples,
  handle: ({ rt, db }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const id = request.params.id.toLowerCase();
      const outcome = await cancelMessage(rt, db, tenantId, id);
      if (outcome.kind === 'too_late') {
        throw new ApiProblem('conflict', {
          sentence: `This message is already ${outcome.status}; only a queued message can be canceled.`,
        });
      }
      const message = outcome.kind === 'canceled' ? await findMessage(db, tenantId, id) : null;
      if (message === null) throw new ApiProblem('not_found');
      return presentMessage(message);
    };
  },
});
