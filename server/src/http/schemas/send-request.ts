import Type, { type Static } from 'typebox';
import { MAX_TTL_S, priorities } from '#core/message';
import { choiceOf, phoneNumberId, text, time, uuid } from './fields.ts';

/** "body (1–4096)": characters, not bytes. */
const MAX_BODY_CHARACTERS = 4096;
/** A number with all the spaces and brackets that people write has less than 40. */
const MAX_NUMBER_CHARACTERS = 64;

/** What `POST /v1/messages` takes. Semantic limits (the number, the times) are the operation's. */
export const SendMessageBody = Type.Object(
  {
    to: Type.String({
      minLength: 1,
      maxLength: MAX_NUMBER_CHARACTERS,
      description:
        'Recipient in international form, 7 to 15 digits. A leading + or 00, spaces, dashes and brackets are accepted.',
    }),
    body: Type.String({ minLength: 1, maxLength: MAX_BODY_CHARACTERS, description: 'Text of the message.' }),
    type: Type.Optional(
      Type.Unsafe<'text'>({ type: 'string', enum: ['text'], default: 'text', description: 'Kind of message.' }),
    ),
    preview_url: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether the network shows a preview of the first address in the text.',
      }),
    ),
    phone_number_id: Type.Optional(phoneNumberId()),
    campaign_name: Type.Optional(text(200, 'Campaign this message belongs to. Its default priority is bulk.')),
    client_ref: Type.Optional(text(100, 'Your own reference, returned wherever the message is.')),
    reply_to: Type.Optional(uuid('Message of yours that this one answers, shown as a quotation.')),
    priority: Type.Optional(
      choiceOf(priorities, 'high: one-time codes; normal; bulk: campaigns. Default normal, with a campaign_name bulk.'),
    ),
    send_at: Type.Optional(time('Not before this time, at most 30 days ahead.')),
    expires_at: Type.Optional(time('Given up when it could not be sent until then. Default 24 hours after it is due.')),
    ttl_s: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_TTL_S, description: 'Validity in seconds, instead of expires_at.' }),
    ),
  },
  {
    additionalProperties: false,
    description: 'A message to send.',
    not: {
      type: 'object',
      properties: { expires_at: { type: 'string' }, ttl_s: { type: 'integer' } },
      required: ['expires_at', 'ttl_s'],
      description: 'expires_at and ttl_s exclude each other: send one of them',
    },
  },
);
export type SendMessageBody = Static<typeof SendMessageBody>;

/** The answer of `POST /v1/messages`: exactly these four fields. */
export const AcceptedMessage = Type.Object(
  {
    id: uuid('Identifier of the message.'),
    status: Type.Unsafe<'queued'>({ type: 'string', enum: ['queued'], description: 'A new message is queued.' }),
    type: Type.String({ description: 'Kind of message.' }),
    to: Type.String({ description: 'Recipient, digits only.' }),
  },
  { description: 'The message is stored and will be sent. It has not reached the network yet.' },
);
