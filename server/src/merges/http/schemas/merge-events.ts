import Type from 'typebox';
import { ContactView, contactExample, contactExampleId } from '#contacts/http/schemas/contact';
import type { EventType } from '#events/domain/event';
import type { EventDescription } from '#http/schemas/events/description';
import { uuid } from '#http/schemas/fields';
import { mergedExampleId, mergeExampleId } from './contact-merge.ts';

export const mergeEvents: Partial<Record<EventType, EventDescription>> = {
  'contact.merged': {
    data: Type.Intersect([
      ContactView,
      Type.Object({
        merge_id: uuid('Identifier of the merge.'),
        merged_contact_id: uuid('The contact that is part of it now.'),
      }),
    ]),
    example: { ...contactExample, merge_id: mergeExampleId, merged_contact_id: mergedExampleId },
  },
  'contact.unmerged': {
    data: Type.Intersect([
      ContactView,
      Type.Object({
        merge_id: uuid('Identifier of the merge that was taken back.'),
        survivor_id: uuid('The contact that it was part of.'),
      }),
    ]),
    example: { ...contactExample, id: mergedExampleId, merge_id: mergeExampleId, survivor_id: contactExampleId },
  },
};
