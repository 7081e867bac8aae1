import Type from 'typebox';
import type { EventType } from '#events/domain/event';
import { type EventDescription, fieldChanges } from '#http/schemas/events/description';
import { nullableText, uuid } from '#http/schemas/fields';
import { ContactView, contactExample, contactExampleId } from './contact.ts';
import { NetworkBlockView, networkBlockExample } from './network-block.ts';

const ofContact: EventDescription = { data: ContactView, example: contactExample };

const aboutMarketing: EventDescription = {
  data: Type.Intersect([
    ContactView,
    Type.Object({ phone_number_id: nullableText('Sending number that it is about. Null: all.') }),
  ]),
  example: { ...contactExample, phone_number_id: null },
};

export const contactEvents: Partial<Record<EventType, EventDescription>> = {
  'contact.created': ofContact,
  'contact.updated': {
    data: Type.Intersect([ContactView, Type.Object({ changes: fieldChanges })]),
    example: { ...contactExample, changes: { name: ['Ada', 'Ada Obi'] } },
  },
  'contact.deleted': {
    data: Type.Object({ id: uuid('ID of the deleted contact.') }),
    example: { id: contactExampleId },
  },
  'contact.opted_out': aboutMarketing,
  'contact.opted_in': aboutMarketing,
  'contact.blocked': ofContact,
  'contact.unblocked': ofContact,
  'contact.network_block_changed': {
    data: Type.Intersect([ContactView, Type.Object({ network_block: NetworkBlockView })]),
    example: { ...contactExample, status: 'blocked', network_block: networkBlockExample },
  },
};
