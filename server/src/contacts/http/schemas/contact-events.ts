import Type from 'typebox';
import type { EventType } from '#events/domain/event';
import { type EventDescription, fieldChanges } from '#http/schemas/events/description';
import { uuid } from '#http/schemas/fields';
import { ContactView, contactExample, contactExampleId } from './contact.ts';

const ofContact: EventDescription = { data: ContactView, example: contactExample };

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
  'contact.opted_out': ofContact,
  'contact.opted_in': ofContact,
  'contact.blocked': ofContact,
  'contact.unblocked': ofContact,
};
