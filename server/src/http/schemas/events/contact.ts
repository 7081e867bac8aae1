import Type from 'typebox';
import type { EventType } from '#core/event';
import { ContactView, contactExample, contactExampleId } from '../contact.ts';
import { mergedExampleId, mergeExampleId } from '../contact-merge.ts';
import { uuid } from '../fields.ts';
import { ImportView, importExample } from '../import.ts';
import type { EventDescription } from './description.ts';

const Changes = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: { type: 'array', minItems: 2, maxItems: 2 },
  description: 'The old and the new value of each field that changed.',
});

const ofContact: EventDescription = { data: ContactView, example: contactExample };

export const contactEvents: Partial<Record<EventType, EventDescription>> = {
  'contact.created': ofContact,
  'contact.updated': {
    data: Type.Object({ ...ContactView.properties, changes: Changes }),
    example: { ...contactExample, changes: { name: ['Ada', 'Ada Obi'] } },
  },
  'contact.deleted': {
    data: Type.Object({ id: uuid('Identifier of the contact that is gone.') }),
    example: { id: contactExampleId },
  },
  'contact.merged': {
    data: Type.Object({
      ...ContactView.properties,
      merge_id: uuid('Identifier of the merge.'),
      merged_contact_id: uuid('The contact that is part of it now.'),
    }),
    example: { ...contactExample, merge_id: mergeExampleId, merged_contact_id: mergedExampleId },
  },
  'contact.unmerged': {
    data: Type.Object({
      ...ContactView.properties,
      merge_id: uuid('Identifier of the merge that was taken back.'),
      survivor_id: uuid('The contact that it was part of.'),
    }),
    example: { ...contactExample, id: mergedExampleId, merge_id: mergeExampleId, survivor_id: contactExampleId },
  },
  'contact.opted_out': ofContact,
  'contact.opted_in': ofContact,
  'contact.blocked': ofContact,
  'contact.unblocked': ofContact,
  'import.completed': { data: ImportView, example: importExample },
};
