import Type, { type Static, type TProperties } from 'typebox';
import { MAX_RECIPIENT_INPUT, parseRecipient } from '#core/phone/recipient';
import type { ContentRule } from '#core/rule-fault';
import { pascalCase } from '#http/openapi-components';
import {
  choiceOf,
  named,
  optional,
  PATTERN_SENTENCE,
  phoneNumberId,
  RULES,
  text,
  time,
  uuid,
  VARIANTS,
} from '#http/schemas/fields';
import type { Variants } from '#http/validation/variants';
import type { MediaType } from '#media/domain/media-content';
import { type MessageType, messageTypes } from '#messages/domain/content';
import { MAX_TTL_S, priorities } from '#messages/domain/message';
import { MESSAGE_NAME } from '#messages/domain/network-message-id';
import { MAX_EMOJI_CHARACTERS, MAX_TARGET_CHARACTERS } from '#messages/domain/reaction';
import { MAX_TEXT_CHARACTERS } from '#messages/domain/text';
import { Contacts } from '#messages/http/schemas/content/contacts';
import { Interactive } from '#messages/http/schemas/content/interactive';
import { Location } from '#messages/http/schemas/content/location';
import { mediaField } from '#messages/http/schemas/content/media';
import { fields, only, words } from '#messages/http/schemas/content/parts';
import { TemplateMessageContent } from '#messages/http/schemas/content/template';

/** Longest reference of the caller: what the network takes as its opaque data. */
export const MAX_CLIENT_REF = 512;

/** Checked with the schema, so that a caller hears of a wrong recipient together with all other faults. */
const readableRecipient: ContentRule = (value) => {
  const parsed = typeof value === 'string' ? parseRecipient(value) : null;
  return parsed === null || parsed.ok ? [] : [{ at: '', message: parsed.reason }];
};

const to = Type.String({
  minLength: 1,
  maxLength: MAX_RECIPIENT_INPUT,
  ...named(
    'Recipient',
    "Recipient in international form, 7 to 15 digits. A leading + or 00, spaces, dashes and brackets are accepted. Or the network's ID of a user, such as US.13491208655302741918, for a customer who shows no number.",
  ),
  [RULES]: [readableRecipient],
});
const reply_to = Type.Optional(
  Type.String({
    pattern: MESSAGE_NAME.source,
    [PATTERN_SENTENCE]: 'must be the ID of a message, here or on the network',
    ...named('ReplyTo', 'Message that this one replies to, shown as a quote: its ID here or on the network.'),
  }),
);
/** What every message may carry. Limits of the times depend on the clock: they are the operation's. */
const common = optional({
  phone_number_id: phoneNumberId(),
  campaign_name: text(
    200,
    named('CampaignName', 'Campaign that this message belongs to. Its default priority is bulk.'),
  ),
  client_ref: text(MAX_CLIENT_REF, named('ClientReference', 'Your own reference, returned with the message.')),
  priority: choiceOf(
    priorities,
    named(
      'MessagePriority',
      'high: one-time codes. normal. bulk: campaigns. Default: normal, or bulk with a campaign_name.',
    ),
  ),
  send_at: time(named('SendAt', 'Earliest time to send, at most 30 days ahead.')),
  expires_at: time(
    named('ExpiresAt', 'When the message expires if it has not been sent. Default: 24 hours after it is due.'),
  ),
  ttl_s: Type.Integer({
    minimum: 1,
    maximum: MAX_TTL_S,
    ...named('TimeToLive', 'Validity in seconds, instead of expires_at.'),
  }),
});
/** Said of one field: viewers of the document show a `not` that stands beside `properties` in the place of these. */
const oneValidity = {
  dependentSchemas: {
    ttl_s: {
      not: {
        type: 'object',
        properties: { expires_at: { type: 'string' } },
        required: ['expires_at'],
        description: 'expires_at and ttl_s exclude each other: send one of them',
      },
    },
  },
};

/** The default type: `type` need not be there. */
const SendText = Type.Object(
  {
    to,
    body: Type.String({ minLength: 1, maxLength: MAX_TEXT_CHARACTERS, description: 'Text of the message.' }),
    type: Type.Optional(
      Type.Unsafe<'text'>({ type: 'string', enum: ['text'], default: 'text', description: 'Kind of message.' }),
    ),
    preview_url: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether the network shows a preview of the first URL in the text.',
      }),
    ),
    reply_to,
    ...common,
  },
  { additionalProperties: false, ...named('SendText', 'A text to send.'), ...oneValidity },
);

function sendOf<const T extends MessageType, P extends TProperties>(type: T, content: P, what: string) {
  return Type.Object(
    { to, type: only(type, 'Kind of message.'), ...content, ...common },
    { additionalProperties: false, ...named(`Send${pascalCase(type)}`, `${what} to send.`), ...oneValidity },
  );
}

function sendMedia<const T extends MediaType>(type: T, what: string) {
  return sendOf(type, { media: mediaField(type), reply_to }, what);
}

const Reaction = fields(
  {
    message_id: words(MAX_TARGET_CHARACTERS, 'The message to react to: its ID here or on the network.'),
    emoji: Type.String({
      maxLength: MAX_EMOJI_CHARACTERS,
      description: 'One emoji; empty to remove the reaction.',
    }),
  },
  named('Reaction', 'The reaction.'),
);

/** One for each type. */
export const sendSchemas = {
  text: SendText,
  template: sendOf('template', { template: TemplateMessageContent, reply_to }, 'A template'),
  image: sendMedia('image', 'An image'),
  video: sendMedia('video', 'A video'),
  audio: sendMedia('audio', 'An audio recording'),
  document: sendMedia('document', 'A document'),
  sticker: sendMedia('sticker', 'A sticker'),
  location: sendOf('location', { location: Location, reply_to }, 'A location'),
  contacts: sendOf('contacts', { contacts: Contacts, reply_to }, 'Contact cards'),
  reaction: sendOf('reaction', { reaction: Reaction }, 'A reaction to a message'),
  interactive: sendOf('interactive', { interactive: Interactive, reply_to }, 'An interactive message'),
} as const satisfies Record<MessageType, unknown>;

/** For a type that does not exist: names it, and what is wrong with the fields that every message has. */
const SendUnknown = Type.Object({ to, type: choiceOf(messageTypes, 'Kind of message.'), ...common }, oneValidity);

export type SendMessageBody = { [T in MessageType]: Static<(typeof sendSchemas)[T]> }[MessageType];

/** What `POST /v1/messages` takes: one of these, told apart by `type`, which is text when it is not there. */
export const SendMessageBody = Type.Unsafe<SendMessageBody>({
  oneOf: Object.values(sendSchemas),
  ...named('SendMessageRequest', 'A message to send; type determines its object. Default: text.'),
  [VARIANTS]: { property: 'type', fallback: 'text', schemas: sendSchemas, otherwise: SendUnknown } satisfies Variants,
});

/** The answer of `POST /v1/messages`: exactly these four fields. */
export const AcceptedMessage = Type.Object(
  {
    id: uuid(named('MessageId', 'ID of the message.')),
    status: choiceOf(['queued'], 'A new message is queued.'),
    type: Type.String({ description: 'Kind of message.' }),
    to: Type.String({ description: 'Recipient: digits only, or the user ID.' }),
  },
  named('AcceptedMessage', 'The message is stored and will be sent. It has not reached the network yet.'),
);
