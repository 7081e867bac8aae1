import { runOnce } from '#access/actions/run-once';
import type { IdempotencyClaim } from '#access/domain/idempotency';
import { idempotencyClaim, markReplayed } from '#access/http/idempotency';
import type { Principal } from '#core/caller/principal';
import type { ApiProblem } from '#core/errors';
import type { TenantId } from '#core/ids';
import type { JsonObject } from '#core/json';
import type { HttpDeps } from '#http/deps';
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
export const sendBatch = defineOperation({
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
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    description: 'The outcome for each message.',
    schema: BatchOutcome,
    example: batchOutcomeExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: ['overloaded'],
  handle: (context) => {
    const validate = bodyValidator(SendMessageBody);
    return async (request, reply) => {
      const principal = principalOf(request);
      const { tenantId } = principal;
      const claim = idempotencyClaim(request);
      const items = request.body.messages.map((message) => readItem(validate, message, principal));
      if (claim === null) return answerBatch(context, { tenantId, items, claim });
      const work = async () => ({ statusCode: 200, body: await answerBatch(context, { tenantId, items, claim }) });
      const outcome = await runOnce(context.rt, context.db, tenantId, claim, work);
      if (outcome.replayed) markReplayed(context.rt.metrics, reply);
      return outcome.body;
    };
  },
});

/** A message of the batch as its own body would be read, or its refusal. */
function readItem(validate: Validator, message: unknown, principal: Principal): SendRequest | ApiProblem {
  if (!validate(message)) return validationProblem(validate.errors ?? [], 'body');
  return readSend(message as SendMessageBody, principal);
}

interface Batch {
  readonly tenantId: TenantId;
  readonly items: readonly (SendRequest | ApiProblem)[];
  readonly claim: IdempotencyClaim | null;
}

async function answerBatch({ acceptor }: Pick<HttpDeps, 'acceptor'>, batch: Batch): Promise<JsonObject> {
  const outcomes = await acceptMany(acceptor, batch);
  return { data: outcomes.map(presentItem) };
}

function presentItem(outcome: ItemOutcome, index: number): JsonObject {
  if (outcome.kind === 'accepted') return { index, status: 202, message: outcome.response };
  return { index, status: outcome.problem.status, error: outcome.problem.toBody() };
}
