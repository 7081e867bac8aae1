import Type, { type TProperties } from 'typebox';
import { ContactView, contactExample, contactExampleId } from '#contacts/http/schemas/contact';
import type { EventType } from '#events/domain/event';
import type { EventDescription } from '#http/schemas/events/description';
import { uuid } from '#http/schemas/fields';
import { mergedExampleId, mergeExampleId } from './contact-merge.ts';

/** The contact as it was after it, and what was merged. */
function described(fields: TProperties, example: object): EventDescription {
  return { data: Type.Intersect([ContactView, Type.Object(fields)]), example: { ...contactExample, ...example } };
}

export const mergeEvents: Partial<Record<EventType, EventDescription>> = {
  'contact.merged': described(
    {
      merge_id: uuid('ID of the merge.'),
      merged_contact_id: uuid('The contact that was merged into it.'),
    },
    { merge_id: mergeExampleId, merged_contact_id: mergedExampleId },
  ),
  'contact.unmerged': described(
    {
      merge_id: uuid('ID of the merge that was undone.'),
      survivor_id: uuid('The contact that it had been merged into.'),
    },
    { id: mergedExampleId, merge_id: mergeExampleId, survivor_id: contactExampleId },
  ),
};
