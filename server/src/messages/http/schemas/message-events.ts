import Type from 'typebox';
import type { EventType } from '#events/domain/event';
import type { EventDescription } from '#http/schemas/events/description';
import { authorExample, inboundExample } from '#http/schemas/examples';
import { named, nullableText, nullableUuid, phoneNumberId, time, uuid } from '#http/schemas/fields';
import { InboundMessageView, Message, MessageAuthorView, PossibleDuplicate } from './message.ts';

const messageId = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01';
const contactId = '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e5f';
const conversationId = '0190a6f2-8c20-7a11-8f00-0a1b2c3d4e5f';

const Queued = Type.Object(
  {
    id: uuid(named('MessageId', 'ID of the message.')),
    status: Type.String({ description: 'queued, sent or failed. Delivered and read messages are sent.' }),
    type: Type.String({ description: 'Type of content, such as text or template.' }),
    to: Type.String({ description: 'Recipient, digits only.' }),
    phone_number_id: phoneNumberId(),
    campaign_name: nullableText('Campaign that it belongs to.'),
    client_ref: nullableText('Your own reference.'),
    author: MessageAuthorView,
    template: nullableText('Name of the template.'),
    conversation_id: nullableUuid('Conversation that it belongs to. Null if unknown.'),
    contact_id: nullableUuid('Contact that it is sent to. Null if unknown.'),
  },
  named('QueuedMessageData', 'A queued outbound message.'),
);

const moved = {
  at: time('When it happened, as reported by the network.'),
  possible_duplicate: Type.Optional(PossibleDuplicate),
};

const Pricing = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  properties: {
    category: { type: ['string', 'null'], description: "The network's category, such as marketing or utility." },
    billable: { type: ['boolean', 'null'], description: 'Whether the network charges for it.' },
    model: { type: ['string', 'null'], description: "The network's pricing model, such as PMP." },
  },
  description: 'Pricing reported by the network. Null if not yet reported.',
});

const Failure = Type.Object(
  {
    code: Type.String({ description: 'Stable code; see the page of errors.' }),
    message: Type.String({ description: 'One sentence for people.' }),
    network_code: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: "The network's error code. Null if none was reported.",
      }),
    ),
    retryable: Type.Optional(Type.Boolean({ description: 'Whether sending it again can help.' })),
  },
  { description: 'Why it failed.' },
);

const Priced = Type.Intersect(
  [Queued, Type.Object({ ...moved, pricing: Type.Optional(Pricing) })],
  named('MessageProgressData', 'An outbound message and its progress.'),
);
const Failed = Type.Intersect([Queued, Type.Object({ ...moved, error: Failure })], {
  description: 'An outbound message that failed.',
});
const queued = {
  id: messageId,
  status: 'queued',
  type: 'text',
  to: '447700900123',
  phone_number_id: '106540352242922',
  campaign_name: null,
  client_ref: 'order-42',
  author: authorExample,
  template: null,
  conversation_id: null,
  contact_id: null,
};
const went = { ...queued, conversation_id: conversationId, contact_id: contactId, possible_duplicate: false };

function progressed(at: string): EventDescription {
  const pricing = { category: 'service', billable: false, model: 'PMP' };
  return { data: Priced, example: { ...went, status: 'sent', at, pricing } };
}

/** What events of messages carry. */
export const messageEvents: Partial<Record<EventType, EventDescription>> = {
  'message.queued': { data: Queued, example: queued },
  'message.sent': progressed('2030-01-01T09:00:01.000Z'),
  'message.delivered': progressed('2030-01-01T09:00:02.000Z'),
  'message.read': progressed('2030-01-01T09:01:00.000Z'),
  'message.failed': {
    data: Failed,
    example: {
      ...went,
      status: 'failed',
      at: '2030-01-01T09:00:01.000Z',
      error: {
        code: 'recipient_unavailable',
        message: 'The recipient is not on the network.',
        network_code: 131026,
        retryable: false,
      },
    },
  },
  'message.received': { data: InboundMessageView, example: inboundExample },
  'message.edited': {
    data: Message,
    example: { ...inboundExample, edits: [{ body: 'Thank yuo!', edited_at: '2030-01-01T09:06:00.000Z' }] },
  },
  'message.deleted': {
    data: Message,
    example: {
      ...inboundExample,
      body: null,
      summary: 'The customer deleted this message.',
      quoted: null,
      deleted_at: '2030-01-01T09:06:00.000Z',
      text: {},
    },
  },
};
