import Type, { type TSchema } from 'typebox';
import { ErrorBody } from '#http/schemas/errors';
import { AcceptedMessage, SendMessageBody } from './send-request.ts';

/** "POST /v1/messages/batch: up to 1000". */
const MAX_BATCH = 1000;
/** 1000 long texts, or fewer larger messages. */
export const MAX_BATCH_BYTES = 2 * 1024 * 1024;

function batchOf(item: TSchema) {
  return Type.Object(
    {
      messages: Type.Array(item, {
        minItems: 1,
        maxItems: MAX_BATCH,
        description: 'Messages to send, 1 to 1000; one that is not valid stops no other.',
      }),
    },
    { additionalProperties: false, description: 'Messages to send together.' },
  );
}

/** What the whole request must be; each message is checked for itself, so that it fails alone. */
export const SendBatchBody = batchOf(Type.Unsafe<unknown>({}));
/** The same as the documentation shows it. */
export const DocumentedBatch = batchOf(SendMessageBody);

/** The answer: one outcome per message, in the order of the request. */
export const BatchOutcome = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          index: Type.Integer({ description: 'Place in the request, from 0.' }),
          status: Type.Integer({
            description: 'What the message alone would have been answered with: 202, 400 or 409.',
          }),
          message: Type.Optional(AcceptedMessage),
          error: Type.Optional(ErrorBody),
        },
        { description: 'What became of one message.' },
      ),
      { description: 'One outcome per message.' },
    ),
  },
  { description: 'What became of each message.' },
);

export const batchExamples = {
  three: {
    summary: 'Three messages, one of which has an impossible number',
    value: {
      messages: [
        { to: '447700900123', body: 'Your parcel leaves today.', client_ref: 'order-42' },
        { to: '12', body: 'Your parcel leaves today.' },
        { to: '447700900125', type: 'image', media: { link: 'https://shop.example/parcel.jpg' } },
      ],
    },
  },
} as const;

export const batchOutcomeExample = {
  data: [
    {
      index: 0,
      status: 202,
      message: { id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01', status: 'queued', type: 'text', to: '447700900123' },
    },
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
      message: { id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f02', status: 'queued', type: 'image', to: '447700900125' },
    },
  ],
};
