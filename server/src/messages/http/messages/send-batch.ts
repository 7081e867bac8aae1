import type { Principal } from '#core/caller/principal';
import type { ApiProblem } from '#core/errors';
import type { JsonObject } from '#core/json';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { bodyValidator } from '#http/validation/ajv';
import { validationProblem } from '#http/validation/faults';
import type { Validator } from '#http/validation/variants';
import { acceptMany, type ItemOutcome } from '#messages/actions/accept-many';
import type { SendRequest } from '#messages/actions/accept-message';
import {
  BatchOutcome,
  batchExamples,
  batchOutcomeExample,
  DocumentedBatch,
  MAX_BATCH_BYTES,
  SendBatchBody,
} from '#messages/http/schemas/send-batch';
import { SendMessageBody } from '#messages/http/schemas/send-request';
import { readSend } from './read-send.ts';

/** Many messages in one request: one group commit, an outcome for each. */
export const sendMessageBatchRoute = defineOperation({
  method: 'POST',
  path: '/v1/messages/batch',
  operationId: 'sendMessageBatch',
  summary: 'Send up to 1000 messages',
  description:
    'Sends many messages in one request, which costs less than a request for each. Returns 200 with one outcome per message, as if each had been sent alone. Invalid messages do not stop the others. An Idempotency-Key applies to the whole batch.',
  tag: 'Messages',
  scope: 'messages:write',
  permission: 'campaigns:manage',
  sends: true,
  body: SendBatchBody,
  documentedBody: DocumentedBatch,
  bodyExamples: batchExamples,
  bodyLimit: MAX_BATCH_BYTES,
  takesIdempotencyKey: 'within',
  answer: {
    status: 200,
    description: 'The outcome for each message.',
    schema: BatchOutcome,
    example: batchOutcomeExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: ['overloaded'],
  handle: ({ acceptor }) => {
    const validate = bodyValidator(SendMessageBody);
    return async (request, _reply, once) => {
      const principal = principalOf(request);
      const { tenantId } = principal;
      const { claim } = once;
      const items = request.body.messages.map((message) => readItem(validate, message, principal));
      return once.run(async () => ({
        data: (await acceptMany(acceptor, { tenantId, items, claim })).map(presentItem),
      }));
    };
  },
});

/** A message of the batch as its own body would be read, or its refusal. */
function readItem(validate: Validator, message: unknown, principal: Principal): SendRequest | ApiProblem {
  if (!validate(message)) return validationProblem(validate.errors ?? [], 'body');
  return readSend(message as SendMessageBody, principal);
}

function presentItem(outcome: ItemOutcome, index: number): JsonObject {
  if (outcome.kind === 'accepted') return { index, status: 202, message: outcome.response };
  return { index, status: outcome.problem.status, error: outcome.problem.toBody() };
}
