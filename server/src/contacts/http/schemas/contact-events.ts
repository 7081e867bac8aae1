import Type from 'typebox';
import type { EventType } from '#events/domain/event';
import type { EventDescription } from '#http/schemas/events/description';
import { uuid } from '#http/schemas/fields';
import { ContactView, contactExample, contactExampleId } from './contact.ts';

const Changes = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: { type: 'array', minItems: 2, maxItems: 2 },
  description: 'The old and the new value of each field that changed.',
});

const ofContact: EventDescription = { data: ContactView, example: contactExample };

export const contactEvents: Partial<Record<EventType, EventDescription>> = {
  'contact.created': ofContact,
  'contact.updated': {
    data: Type.Intersect([ContactView, Type.Object({ changes: Changes })]),
    example: { ...contactExample, changes: { name: ['Ada', 'Ada Obi'] } },
  },
  'contact.deleted': {
    data: Type.Object({ id: uuid('Identifier of the contact that is gone.') }),
    example: { id: contactExampleId },
  },
  'contact.opted_out': ofContact,
  'contact.opted_in': ofContact,
  'contact.blocked': ofContact,
  'contact.unblocked': ofContact,
};
