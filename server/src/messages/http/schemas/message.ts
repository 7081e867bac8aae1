import Type from 'typebox';
import { waitingView } from '#accounts/http/schemas/waiting';
import { writerKinds } from '#core/caller/author';
import {
  anyObject,
  choiceOf,
  named,
  nullableObject,
  nullableText,
  nullableTime,
  nullableUuid,
  optional,
  time,
  uuid,
} from '#http/schemas/fields';
import { priorities } from '#messages/domain/message';
import { MAX_EDITS } from '#messages/domain/message-change';
import { forwardedMarks } from '#messages/domain/message-context';
import { messageWaitReasons } from '#messages/domain/message-wait';
import { CallView } from './call.ts';

export const messageStatuses = ['queued', 'sending', 'sent', 'failed'] as const;
export const deliveryStates = ['pending', 'accepted', 'sent', 'delivered', 'read', 'failed', 'unknown'] as const;

const Pricing = nullableObject(named('MessagePricing', 'How the network bills the message, once reported.'), {
  category: nullableText('Category, such as service or marketing.'),
  billable: { type: ['boolean', 'null'], description: 'Whether the network charges for it.' },
  model: nullableText('Pricing model, such as PMP.'),
});

const DeliveryFault = nullableObject(
  named('DeliveryError', 'Why the message failed, or why its last attempt failed.'),
  {
    code: { type: 'string', description: 'Stable code; docs/errors.md describes each one.' },
    message: { type: 'string', description: 'One sentence for people.' },
    network_code: { type: ['integer', 'null'], description: "The network's own code." },
    retryable: { type: 'boolean', description: 'Whether sending the same message again can help.' },
  },
);

export const PossibleDuplicate = Type.Boolean(
  named(
    'PossibleDuplicate',
    'Whether it was sent again because the outcome of a send was unknown: it may arrive twice.',
  ),
);

/** What the network said about a message, and when. */
const Delivery = Type.Object(
  {
    state: choiceOf(deliveryStates, named('DeliveryState', 'Delivery progress, which only moves forward.')),
    network_message_id: nullableText("The network's ID of the message."),
    attempts: Type.Integer({ description: 'Send attempts so far.' }),
    next_attempt_at: nullableTime('When the next attempt is due. Null if none is.'),
    accepted_at: nullableTime('When the network accepted the message.'),
    sent_at: nullableTime('Time reported by the network.'),
    delivered_at: nullableTime('Time reported by the network.'),
    read_at: nullableTime('Time reported by the network.'),
    failed_at: nullableTime("Time reported by the network, or the service's time if it failed before it was sent."),
    pricing: Pricing,
    error: DeliveryFault,
    possible_duplicate: PossibleDuplicate,
  },
  named('Delivery', 'Delivery information of an outbound message.'),
);

const id = uuid(named('MessageId', 'ID of the message.'));
const type = Type.String({ description: 'Kind of message, such as text or image.' });
const inboundType = Type.String({ description: 'Kind of message, such as text or image; call for a call.' });
const phoneNumberId = Type.String({ description: "The network's ID of the business number." });
const links = {
  reply_to: nullableUuid('Message that this one replies to.'),
  conversation_id: nullableUuid('Conversation it belongs to.'),
  contact_id: nullableUuid('Contact it was exchanged with.'),
};

const MessageMedia = Type.Object(
  {
    media_id: nullableUuid('ID of the media. Null if it is sent from a URL.'),
    link: nullableText('URL that the network downloads it from.'),
    caption: nullableText('Text below the media.'),
    filename: nullableText('Filename shown to the customer.'),
    voice: Type.Optional(Type.Boolean({ description: 'Whether it is shown as a voice message.' })),
  },
  named('MessageMedia', 'For image, video, audio, document and sticker messages.'),
);
const MessageLocation = Type.Object(
  {
    latitude: Type.Number({ description: 'Degrees.' }),
    longitude: Type.Number({ description: 'Degrees.' }),
    name: nullableText('Name of the location.'),
    address: nullableText('Address of the location.'),
  },
  named('MessageLocation', 'For location messages.'),
);
const MessageReaction = Type.Object(
  {
    message_id: Type.String({ description: 'ID of the message reacted to, as given.' }),
    emoji: Type.String({ description: 'The emoji; empty if the reaction was removed.' }),
  },
  named('MessageReaction', 'For reactions.'),
);
const MessageTemplate = Type.Object(
  {
    name: Type.String({ description: 'Name of the template.' }),
    language: Type.String({ description: 'Its language.' }),
    variables: Type.Optional(
      Type.Unsafe({
        type: ['object', 'array'],
        additionalProperties: true,
        items: {},
        description: 'Values, as sent.',
      }),
    ),
    components: Type.Optional(Type.Array(anyObject('A component.'), { description: 'Components, as sent.' })),
    marketing_messages: Type.Optional(
      anyObject('Present if it was sent over the Marketing Messages API: the options, as given.'),
    ),
  },
  named('MessageTemplate', 'For template messages.'),
);

/** What an outbound message says: one of these members is there, by the type of the message. */
const contentFields = optional({
  body: Type.String({ description: 'Text of a text message.' }),
  template: MessageTemplate,
  media: MessageMedia,
  location: MessageLocation,
  contacts: Type.Array(anyObject('A contact card.'), { description: 'For contacts messages: the cards, as sent.' }),
  reaction: MessageReaction,
  interactive: anyObject('For interactive messages: the object, as sent.'),
});

export const MessageAuthorView = nullableObject(
  named('MessageAuthor', 'Who had the message sent. Null for messages from before this was recorded.'),
  {
    kind: choiceOf(
      writerKinds,
      'Kind of author. key: a program, which acted for no agent. phone: somebody who used the app on the phone of the business.',
    ),
    id: nullableUuid('ID of the agent, chatbot rule, campaign or API key. Null for a phone.'),
    name: nullableText('Its current name. Null if it was deleted, and for a phone.'),
  },
);

const MessageWaitingView = waitingView(
  'Message',
  messageWaitReasons,
  'Why the message waits, and for how long. Null if it is being sent, was sent or has failed. Only when one message is read.',
);

const MessageEdit = Type.Object(
  {
    body: nullableText('What the message said before this edit: its text or caption.'),
    edited_at: time('When it was edited, as reported by the network.'),
  },
  named('MessageEdit', 'An edit of a message.'),
);

/** An outbound message: the answer of the status read, and an item of the outbound list. */
export const OutboundMessageView = Type.Object(
  {
    id,
    direction: choiceOf(['outbound'], 'Sent by the business.'),
    status: choiceOf(messageStatuses, named('MessageStatus', 'Progress of the message to the network.')),
    type,
    to: Type.String({ description: 'Recipient, digits only.' }),
    from: Type.String({ description: 'Business number it is sent from, digits only.' }),
    phone_number_id: phoneNumberId,
    ...contentFields,
    campaign_name: nullableText('Campaign it belongs to.'),
    client_ref: nullableText('Your own reference.'),
    ...links,
    resend_of: nullableUuid('Failed message that this one resends.'),
    author: MessageAuthorView,
    edits: Type.Array(MessageEdit, {
      maxItems: MAX_EDITS,
      description: `What a message from the phone said before it was edited there, oldest first: the latest ${MAX_EDITS} edits. Empty if it was not edited.`,
    }),
    deleted_at: nullableTime(
      'When a message from the phone was deleted there, as reported by the network. Its content is gone then. Null: it is not deleted.',
    ),
    priority: choiceOf(priorities, named('MessagePriority', 'Which messages are sent first.')),
    send_at: nullableTime('Earliest time to send.'),
    expires_at: time('When the message expires if it has not been sent.'),
    created_at: time('When it was accepted.'),
    updated_at: time(named('UpdatedAt', 'When it was last changed.')),
    delivery: Delivery,
    waiting: Type.Optional(MessageWaitingView),
  },
  named('OutboundMessage', 'A message from the business to a customer, with one object named after its type.'),
);

const InboundMedia = nullableObject(
  named('InboundMedia', 'The attached file. It is downloaded from the network within minutes. Null without a file.'),
  {
    status: choiceOf(['pending', 'ready', 'failed'], 'pending: to be downloaded. failed: the download was given up.'),
    media_id: nullableUuid('ID of the media, once ready: read it at /v1/media/{id}.'),
    mime_type: nullableText('Media type; until ready, as reported by the network.'),
    size: { type: ['integer', 'null'], description: 'Size in bytes, once ready.' },
    sha256: nullableText('SHA-256 of the bytes, 64 hex digits.'),
    filename: nullableText('Filename given by the customer.'),
    error: nullableObject('Why it is not available, even while it is retried.', {
      code: { type: 'string', description: 'Stable code; docs/errors.md describes each one.' },
      message: { type: 'string', description: 'One sentence.' },
    }),
  },
);

const QuotedMessage = nullableObject(
  named('QuotedMessage', 'The message that this one replies or reacts to. Null if it refers to none.'),
  {
    message_id: nullableUuid('ID of the message, as in reply_to. Null if it is not stored here.'),
    network_message_id: { type: 'string', description: "The network's ID of the message." },
    from: nullableText('Who wrote it, as reported by the network: digits of a number, or a user ID.'),
  },
);
const ReferredProduct = nullableObject(
  named('ReferredProduct', 'The product that the customer asks about. Null if there is none.'),
  {
    catalog_id: nullableText("The network's ID of the catalog."),
    product_retailer_id: { type: 'string', description: 'Your own ID of the product.' },
  },
);
const NetworkError = nullableObject(
  named('NetworkError', 'What the network could not deliver of the message. Null if it reported nothing.'),
  {
    network_code: { type: ['integer', 'null'], description: "The network's own code." },
    message: { type: 'string', description: "The network's sentence." },
  },
);
const Referral = nullableObject(
  named('Referral', 'The advertisement or post that the customer came from. Null if the network reported none.'),
  {
    source_type: nullableText('ad or post.'),
    source_id: nullableText("The network's ID of the advertisement or post."),
    source_url: nullableText('Its address.'),
    headline: nullableText('Its headline.'),
    body: nullableText('Its text.'),
    media_type: nullableText('image or video.'),
    image_url: nullableText('Address of its image.'),
    video_url: nullableText('Address of its video.'),
    thumbnail_url: nullableText('Address of the preview of its video.'),
    ctwa_clid: nullableText(
      'ID of the click, by which conversions are reported. Absent for advertisements in the status.',
    ),
    welcome_text: nullableText('The greeting that the customer was shown.'),
  },
);
const FlowResponseView = nullableObject(
  named('FlowResponse', 'What the customer entered into a form. Null for other messages.'),
  {
    name: nullableText("The network's word for the kind of form, such as flow or address_message."),
    flow_token: nullableText('Token that the form was sent with.'),
    data: { description: 'The answers, without the token: usually an object. Null if they are not JSON.' },
  },
);

/** An inbound message, or a call. The content of a message stands under the name of its type, as the network sent it. */
export const InboundMessageView = Type.Object(
  {
    id,
    direction: choiceOf(['inbound'], 'Sent by a customer. Calls are always inbound; call.direction says who called.'),
    type: inboundType,
    from: nullableText("The customer's number, digits only. Null if only a user ID is known."),
    from_user_id: nullableText("The network's user ID of the customer."),
    profile_name: nullableText('Name that the customer chose on the network.'),
    to: Type.String({ description: 'Business number it was sent to, digits only.' }),
    phone_number_id: phoneNumberId,
    body: nullableText('Text shown in an inbox: text, caption, button title or emoji.'),
    summary: nullableText(
      'One sentence for a message without text, such as an order, a removed reaction, or what the network does not deliver. Null if it speaks for itself.',
    ),
    media: InboundMedia,
    network_message_id: Type.String({ description: "The network's ID of the message or call." }),
    ...links,
    quoted: QuotedMessage,
    forwarded: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      enum: [...forwardedMarks, null],
      description:
        'Whether the customer forwarded it from another chat, or it has been forwarded many times. Null: neither.',
    }),
    referred_product: ReferredProduct,
    network_error: NetworkError,
    referral: Referral,
    flow_response: FlowResponseView,
    group_id: nullableText(
      "The network's ID of the group that it was written in. Such a message belongs to no conversation. Null: it was written to the business alone.",
    ),
    opens_window: Type.Boolean({
      description:
        'Whether it opened the 24-hour window, counts as unread and waiting, and starts chatbot rules. false for notices of the network, removed reactions, messages in groups, and calls of the business. A call of a customer opens the window, and does the rest only if nobody answered.',
    }),
    edits: Type.Array(MessageEdit, {
      maxItems: MAX_EDITS,
      description: `What the message said before the customer edited it, oldest first: the latest ${MAX_EDITS} edits. Empty if it was not edited.`,
    }),
    deleted_at: nullableTime(
      'When the customer deleted the message, as reported by the network. Its content is gone then. Null: it is not deleted.',
    ),
    call: Type.Optional(CallView),
    network_timestamp: time('When the customer sent it, as reported by the network.'),
    received_at: time('When it was stored.'),
    created_at: time('The same as received_at.'),
  },
  {
    additionalProperties: true,
    ...named(
      'InboundMessage',
      'A message from a customer, or a call. In addition to these fields, a message has one object named after its type, as sent by the network.',
    ),
  },
);

/** Either direction: what the status read answers. */
export const Message = Type.Unsafe({
  oneOf: [OutboundMessageView, InboundMessageView],
  ...named('Message', 'A message as it is now, as GET /v1/messages/{id} returns it; direction determines its shape.'),
});

/** One thing that happened to a message. */
const TraceItem = Type.Object(
  {
    at: time('When it happened.'),
    event: Type.String({ description: 'Stable name, such as accepted, attempt or retry_scheduled.' }),
    detail: Type.String({ description: 'One sentence: what happened and why.' }),
    data: Type.Optional(Type.Unsafe({ type: 'object', additionalProperties: true, description: 'Data of the event.' })),
  },
  named('TraceItem', 'One step of a message.'),
);

/** What happened to a message, oldest first. */
export const Trace = Type.Object(
  { data: Type.Array(TraceItem), waiting: MessageWaitingView },
  named('Trace', 'Everything that happened, in order.'),
);
