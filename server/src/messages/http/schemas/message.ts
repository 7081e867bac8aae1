import Type from 'typebox';
import { choiceOf, named, nullableText, nullableTime, nullableUuid, time, uuid } from '#http/schemas/fields';
import { priorities } from '#messages/domain/message';
import { contentFields } from '#messages/http/schemas/content/answers';

export const messageStatuses = ['queued', 'sending', 'sent', 'failed'] as const;
const deliveryStates = ['pending', 'accepted', 'sent', 'delivered', 'read', 'failed', 'unknown'] as const;

const Pricing = Type.Unsafe({
  type: ['object', 'null'],
  ...named('MessagePricing', 'How the network bills the message, once it said so.'),
  properties: {
    category: nullableText('Category, such as service or marketing.'),
    billable: { type: ['boolean', 'null'], description: 'Whether it costs anything.' },
    model: nullableText('Pricing model, such as PMP.'),
  },
  required: ['category', 'billable', 'model'],
});

const DeliveryFault = Type.Unsafe({
  type: ['object', 'null'],
  ...named('DeliveryError', 'Why the message failed, or why its last attempt did.'),
  properties: {
    code: { type: 'string', description: 'Stable code; docs/errors.md describes each one.' },
    message: { type: 'string', description: 'One sentence a person can act on.' },
    network_code: { type: ['integer', 'null'], description: "The network's own code." },
    retryable: { type: 'boolean', description: 'Whether sending the same message again can help.' },
  },
  required: ['code', 'message', 'network_code', 'retryable'],
});

/** What the network said about a message, and when. */
export const Delivery = Type.Object(
  {
    state: choiceOf(deliveryStates, named('DeliveryState', 'How far the message came. It only moves forward.')),
    network_message_id: nullableText("The network's identifier of the message."),
    attempts: Type.Integer({ description: 'Sends tried so far.' }),
    next_attempt_at: nullableTime('When the next send is due; null when none is.'),
    accepted_at: nullableTime('When the network took the message.'),
    sent_at: nullableTime("The network's time."),
    delivered_at: nullableTime("The network's time."),
    read_at: nullableTime("The network's time."),
    failed_at: nullableTime("The network's time, or ours when it failed before it left."),
    pricing: Pricing,
    error: DeliveryFault,
    possible_duplicate: Type.Boolean({
      description: 'Whether it was sent again because the outcome of a send stayed unknown: it may arrive twice.',
    }),
  },
  named('Delivery', 'Delivery information of an outbound message.'),
);

const id = uuid('Identifier of the message.');
const type = Type.String({ description: 'Kind of message, such as text or image.' });
const phoneNumberId = Type.String({ description: "The network's identifier of the business number." });
const links = {
  reply_to: nullableUuid('Message that this one answers.'),
  conversation_id: nullableUuid('Conversation it belongs to.'),
  contact_id: nullableUuid('Contact it was exchanged with.'),
};

/** An outbound message: the answer of the status read, and an item of the outbound list. */
export const OutboundMessageView = Type.Object(
  {
    id,
    direction: choiceOf(['outbound'], 'Sent by the business.'),
    status: choiceOf(messageStatuses, named('MessageStatus', 'Where the message is on its way to the network.')),
    type,
    to: Type.String({ description: 'Recipient, digits only.' }),
    from: Type.String({ description: 'Business number it is sent from, digits only.' }),
    phone_number_id: phoneNumberId,
    ...contentFields,
    campaign_name: nullableText('Campaign it belongs to.'),
    client_ref: nullableText("The sender's own reference."),
    ...links,
    resend_of: nullableUuid('Failed message that this one repeats.'),
    priority: choiceOf(priorities, named('MessagePriority', 'What is sent first when messages wait.')),
    send_at: nullableTime('Not before this time.'),
    expires_at: time('Given up when it could not be sent until then.'),
    created_at: time('When it was accepted.'),
    updated_at: time('When it last changed.'),
    delivery: Delivery,
  },
  named('OutboundMessage', 'A message of the business to a customer, with the one object that its type carries.'),
);

const InboundMedia = Type.Unsafe({
  type: ['object', 'null'],
  ...named(
    'InboundMedia',
    'The file that came with it. It is fetched from the network within minutes; null without a file.',
  ),
  properties: {
    status: choiceOf(['pending', 'ready', 'failed'], 'Still to be fetched, here, or given up.'),
    media_id: nullableUuid('The media, once it is ready: read it at /v1/media/{id}.'),
    mime_type: nullableText('What it is; as the network says until it is ready.'),
    size: { type: ['integer', 'null'], description: 'Bytes, once it is ready.' },
    sha256: nullableText('SHA-256 of the bytes, 64 hex digits.'),
    filename: nullableText('Name that the customer gave it.'),
    error: {
      type: ['object', 'null'],
      description: 'Why it is not here, also while it is tried again.',
      properties: {
        code: { type: 'string', description: 'Stable code; docs/errors.md describes each one.' },
        message: { type: 'string', description: 'One sentence.' },
      },
      required: ['code', 'message'],
    },
  },
  required: ['status', 'media_id', 'mime_type', 'size', 'sha256', 'filename', 'error'],
});

/** An inbound message. Its content stands under the name of its type, as the network sent it. */
export const InboundMessageView = Type.Object(
  {
    id,
    direction: choiceOf(['inbound'], 'Sent by a customer.'),
    type,
    from: nullableText("The customer's number, digits only; null for one who shows only a user id."),
    from_user_id: nullableText("The network's user id of the customer."),
    profile_name: nullableText('Name that the customer chose on the network.'),
    to: Type.String({ description: 'Business number it was sent to, digits only.' }),
    phone_number_id: phoneNumberId,
    body: nullableText('What an inbox shows: text, caption, title of a button, emoji.'),
    media: InboundMedia,
    network_message_id: Type.String({ description: "The network's identifier of the message." }),
    ...links,
    network_timestamp: time('When the customer sent it, as the network says.'),
    received_at: time('When it was stored here.'),
    created_at: time('The same as received_at.'),
  },
  {
    additionalProperties: true,
    ...named(
      'InboundMessage',
      'A message of a customer. Beside these fields it carries one object named after its type, as the network sent it.',
    ),
  },
);

/** Either direction: what the status read answers. */
export const Message = Type.Unsafe({
  oneOf: [OutboundMessageView, InboundMessageView],
  ...named('Message', 'A message; direction tells which shape it has.'),
});

/** One thing that happened to a message. */
export const TraceItem = Type.Object(
  {
    at: time('When it happened.'),
    event: Type.String({ description: 'Stable name, such as accepted, attempt or retry_scheduled.' }),
    detail: Type.String({ description: 'One sentence: what happened and why.' }),
    data: Type.Optional(
      Type.Unsafe({ type: 'object', additionalProperties: true, description: 'Figures of the event.' }),
    ),
  },
  named('TraceItem', 'One step of a message.'),
);

/** What happened to a message, oldest first. */
export const Trace = Type.Object(
  { data: Type.Array(TraceItem) },
  named('Trace', 'Everything that happened, in order.'),
);
