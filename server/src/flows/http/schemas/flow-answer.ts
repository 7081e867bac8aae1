import Type from 'typebox';
import type { JsonObject } from '#core/json';
import { named, nullableText, nullableUuid, phoneNumberId, time, uuid, viewOf } from '#http/schemas/fields';

export const FlowAnswerView = viewOf(named('FlowAnswer', 'What a customer has entered into a flow.'), {
  message_id: uuid('The inbound message that the answer came as.'),
  sent_message_id: uuid('The message that the flow was sent with.'),
  received_at: time('When the answer was stored.'),
  phone_number_id: phoneNumberId(),
  from: nullableText("The customer's number, digits only. Null if only a user ID is known."),
  from_user_id: nullableText("The network's user ID of the customer."),
  profile_name: nullableText('Name that the customer goes by on the network.'),
  contact_id: nullableUuid('The contact.'),
  conversation_id: nullableUuid('The conversation.'),
  flow_token: nullableText('Token that the flow was sent with.'),
  data: Type.Unsafe<JsonObject>({
    description: 'What was entered, by the names of the fields. Null if it is not JSON.',
  }),
});

export const flowAnswerExample: JsonObject = {
  message_id: '0190a6f3-1111-7222-8333-444455556666',
  sent_message_id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01',
  received_at: '2030-01-01T09:05:00.480Z',
  phone_number_id: '106540352242922',
  from: '447700900123',
  from_user_id: null,
  profile_name: 'Sam',
  contact_id: '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e5f',
  conversation_id: '0190a6f2-8c20-7a11-8f00-0a1b2c3d4e5f',
  flow_token: 'order-42',
  data: { day: '2030-01-07' },
};
