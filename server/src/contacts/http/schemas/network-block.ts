import Type from 'typebox';
import { networkBlockStates } from '#contacts/domain/network-block';
import type { JsonObject } from '#core/json';
import { choiceOf, named, nullableInteger, nullableText, nullableTime, phoneNumberId } from '#http/schemas/fields';
import { ContactView, contactExample } from './contact.ts';

export const NetworkBlockView = Type.Object(
  {
    phone_number_id: phoneNumberId(),
    recipient: nullableText('Phone number or user ID that the network was told. Null: none.'),
    state: choiceOf(
      networkBlockStates,
      named(
        'NetworkBlockState',
        'pending: the network will be told. blocked: it blocks the contact. refused: it does not do it; reason says why.',
      ),
    ),
    code: nullableInteger("The network's code of its last refusal."),
    reason: nullableText('Why it is refused, or still pending.'),
    changed_at: nullableTime('When the state changed.'),
  },
  named('NetworkBlock', 'Whether the network blocks a contact for a sending number.'),
);

export const ContactDetailView = Type.Intersect(
  [
    ContactView,
    Type.Object({
      network_block: Type.Array(NetworkBlockView, {
        description: 'The block at the network, for each sending number that the contact has written to.',
      }),
    }),
  ],
  named('ContactDetail', 'A contact, and whether the network blocks it.'),
);

export const networkBlockExample: JsonObject = {
  phone_number_id: '106540352242922',
  recipient: '447700900123',
  state: 'blocked',
  code: null,
  reason: null,
  changed_at: '2030-01-01T09:00:00.000Z',
};

export const contactDetailExample: JsonObject = {
  ...contactExample,
  network_block: [{ ...networkBlockExample, recipient: null, state: 'not_blocked', changed_at: null }],
};
