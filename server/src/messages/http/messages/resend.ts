import { ApiProblem } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { acceptedExample, resendErrorExamples } from '#http/schemas/examples';
import { MessageIdParams, NoBody } from '#http/schemas/parameters';
import { type ResendOutcome, resendMessage } from '#messages/actions/resend-message';
import { AcceptedMessage } from '#messages/http/schemas/send-request';
import { sendErrors } from './send.ts';

export const resendMessageRoute = defineOperation({
  method: 'POST',
  path: '/v1/messages/:id/resend',
  operationId: 'resendMessage',
  summary: 'Resend a failed message',
  description:
    'Creates a new message with the same content and the same length of validity. Its resend_of names the failed message, which stays as it is. For any other message, the response is 409.',
  tag: 'Messages',
  scope: 'messages:write',
  sends: true,
  params: MessageIdParams,
  body: NoBody,
  takesIdempotencyKey: 'within',
  answer: {
    status: 202,
    description: 'The new message is stored and queued.',
    schema: AcceptedMessage,
    example: acceptedExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: [...sendErrors, 'not_found'],
  errorExamples: resendErrorExamples,
  handle: ({ db, acceptor }) => {
    return async (request, _reply, once) => {
      const { tenantId } = principalOf(request);
      const messageId = request.params.id.toLowerCase();
      const outcome = await resendMessage({ db, acceptor }, { tenantId, messageId, claim: once.claim });
      if (outcome.kind === 'not_found' || outcome.kind === 'erased' || outcome.kind === 'not_failed')
        throw refusal(outcome);
      return outcome.kind === 'replayed' ? once.replay(outcome.statusCode, outcome.response) : outcome.response;
    };
  },
});

function refusal(outcome: Extract<ResendOutcome, { kind: 'not_found' | 'erased' | 'not_failed' }>): ApiProblem {
  if (outcome.kind === 'not_found') return new ApiProblem('not_found');
  if (outcome.kind === 'erased')
    throw new ApiProblem('conflict', { sentence: 'The recipient of this message was erased.' });
  const sentence = `This message is ${outcome.status}; only a failed message can be sent again.`;
  return new ApiProblem('conflict', { sentence });
}
