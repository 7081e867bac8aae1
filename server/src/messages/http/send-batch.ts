import type { FastifyRequest } from 'fastify';
import Type, { type TSchema } from 'typebox';
import type { ApiProblem } from '#core/errors';
import type { JsonObject } from '#core/json';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { ErrorBody } from '#http/schemas/errors';
import { acceptedExample } from '#http/schemas/examples';
import { bodyValidator } from '#http/validation/ajv';
import { validationProblem } from '#http/validation/faults';
import type { Validator } from '#http/validation/variants';
import { acceptMany, type ItemOutcome } from '#messages/actions/accept-many';
import type { SendRequest } from '#messages/actions/accept-message';
import { readSend } from './read-send.ts';
import { AcceptedMessage, SendMessageBody } from './schemas/send-request.ts';

/** "POST /v1/messages/batch: up to 1000". */
const MAX_BATCH = 1000;
/** 1000 long texts, or fewer larger messages. */
const MAX_BATCH_BYTES = 2 * 1024 * 1024;

function batchOf(item: TSchema) {
  return Type.Object(
    {
      messages: Type.Array(item, {
        minItems: 1,
        maxItems: MAX_BATCH,
        description: 'Messages to send, 1 to 1000. Invalid messages do not stop the others.',
      }),
    },
    { additionalProperties: false, description: 'Messages to send together.' },
  );
}

/** What the whole request must be; each message is checked for itself, so that it fails alone. */
const SendBatchBody = batchOf(Type.Unsafe<unknown>({}));
/** The same as the documentation shows it. */
const DocumentedBatch = batchOf(SendMessageBody);

/** The answer: one outcome per message, in the order of the request. */
const BatchOutcome = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          index: Type.Integer({ description: 'Index in the request, from 0.' }),
          status: Type.Integer({
            description: 'Status that the message alone would have returned: 202, 400 or 409.',
          }),
          message: Type.Optional(AcceptedMessage),
          error: Type.Optional(ErrorBody),
        },
        { description: 'Outcome of one message.' },
      ),
      { description: 'One outcome per message.' },
    ),
  },
  { description: 'Outcome of each message.' },
);

const batchOutcomeExample = {
  data: [
    { index: 0, status: 202, message: acceptedExample },
    {
      index: 1,
      status: 400,
      error: {
        error: 'to has 2 digits; a number has 7 to 15.',
        code: 'validation_failed',
        details: [{ path: 'body.to', message: 'to has 2 digits; a number has 7 to 15' }],
      },
    },
    {
      index: 2,
      status: 202,
      message: {
        ...acceptedExample,
        id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f02',
        type: 'image',
        to: '447700900125',
      },
    },
  ],
};

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
  bodyExamples: {
    three: {
      summary: 'Three messages, one with an invalid number',
      value: {
        messages: [
          { to: '447700900123', body: 'Your parcel leaves today.', client_ref: 'order-42' },
          { to: '12', body: 'Your parcel leaves today.' },
          { to: '447700900125', type: 'image', media: { link: 'https://shop.example/parcel.jpg' } },
        ],
      },
    },
  },
  bodyLimit: MAX_BATCH_BYTES,
  takesIdempotencyKey: 'within',
  answer: {
    status: 200,
    description: 'The outcome for each message.',
    schema: BatchOutcome,
    example: batchOutcomeExample,
  },
  errors: ['overloaded'],
  handle: ({ acceptor }) => {
    const validate = bodyValidator(SendMessageBody);
    return async (request, _reply, once) => {
      const { tenantId } = principalOf(request);
      const { claim } = once;
      const items = request.body.messages.map((message) => readItem(validate, message, request));
      return once.run(async () => ({
        data: (await acceptMany(acceptor, { tenantId, items, claim })).map(presentItem),
      }));
    };
  },
});

/** A message of the batch as its own body would be read, or its refusal. */
function readItem(
  validate: Validator,
  message: unknown,
  asked: Pick<FastifyRequest, 'agent' | 'principal' | 'step'>,
): SendRequest | ApiProblem {
  if (!validate(message)) return validationProblem(validate.errors ?? [], 'body');
  return readSend(message as SendMessageBody, asked);
}

function presentItem(outcome: ItemOutcome, index: number): JsonObject {
  if (outcome.kind === 'accepted') return { index, status: 202, message: outcome.response };
  return { index, status: outcome.problem.status, error: outcome.problem.toBody() };
}
