import Type from 'typebox';
import type { EventType } from '#events/domain/event';
import type { EventDescription } from '#http/schemas/events/description';
import { inboundExample } from '#http/schemas/examples';
import { named, nullableText, nullableUuid, phoneNumberId, time, uuid } from '#http/schemas/fields';
import { InboundMessageView } from './message.ts';

const messageId = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01';
const contactId = '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e5f';
const conversationId = '0190a6f2-8c20-7a11-8f00-0a1b2c3d4e5f';

const accepted = {
  id: uuid('Identifier of the message.'),
  status: Type.String({ description: 'queued, sent or failed; delivered and read tell of one that was sent.' }),
  type: Type.String({ description: 'Type of its content, as text or template.' }),
  to: Type.String({ description: 'The recipient, digits only.' }),
  phone_number_id: phoneNumberId(),
  campaign_name: nullableText('The campaign that it was sent with.'),
  client_ref: nullableText('Your own name for it.'),
  template: nullableText('Name of the template that it is.'),
  conversation_id: nullableUuid('The conversation that it belongs to; null: none is known.'),
  contact_id: nullableUuid('The contact that it goes to; null: none is known.'),
};

const moved = {
  ...accepted,
  at: time('When it happened, as the network says.'),
  possible_duplicate: Type.Optional(
    Type.Boolean({
      description: 'Whether it was sent again because the outcome of a send stayed unknown: it may arrive twice.',
    }),
  ),
};

const Pricing = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  properties: {
    category: { type: ['string', 'null'], description: 'Category of the network, as marketing or utility.' },
    billable: { type: ['boolean', 'null'], description: 'Whether the network charges it.' },
    model: { type: ['string', 'null'], description: 'How the network charges, as PMP.' },
  },
  description: 'What the network said of its price; null: nothing yet.',
});

const Failure = Type.Object(
  {
    code: Type.String({ description: 'Stable code, see the page of errors.' }),
    message: Type.String({ description: 'A sentence for people.' }),
    network_code: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'Code of the network; null: it never said.',
      }),
    ),
    retryable: Type.Optional(Type.Boolean({ description: 'Whether sending it again can help.' })),
  },
  { description: 'Why it failed.' },
);

const Queued = Type.Object(accepted, named('QueuedMessageData', 'An outbound message that waits for its turn.'));
const Priced = Type.Object(
  { ...moved, pricing: Type.Optional(Pricing) },
  named('MessageProgressData', 'An outbound message that came further.'),
);
const Failed = Type.Object({ ...moved, error: Failure }, { description: 'An outbound message that failed.' });
const queued = {
  id: messageId,
  status: 'queued',
  type: 'text',
  to: '447700900123',
  phone_number_id: '106540352242922',
  campaign_name: null,
  client_ref: 'order-42',
  template: null,
  conversation_id: null,
  contact_id: null,
};
const went = { ...queued, conversation_id: conversationId, contact_id: contactId, possible_duplicate: false };
const price = { pricing: { category: 'service', billable: false, model: 'PMP' } };

/** What events of messages carry. */
export const messageEvents: Partial<Record<EventType, EventDescription>> = {
  'message.queued': { data: Queued, example: queued },
  'message.sent': { data: Priced, example: { ...went, status: 'sent', at: '2030-01-01T09:00:01.000Z', ...price } },
  'message.delivered': {
    data: Priced,
    example: { ...went, status: 'sent', at: '2030-01-01T09:00:02.000Z', ...price },
  },
  'message.read': { data: Priced, example: { ...went, status: 'sent', at: '2030-01-01T09:01:00.000Z', ...price } },
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
};
