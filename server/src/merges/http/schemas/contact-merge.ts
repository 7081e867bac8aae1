import Type from 'typebox';
import { contactExampleId } from '#contacts/http/schemas/contact';
import { actorKinds } from '#core/caller/actor';
import type { JsonObject } from '#core/json';
import { choiceOf, named, nullableText, nullableTime, time, uuid } from '#http/schemas/fields';

export const mergeExampleId = '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e80';
export const mergedExampleId = '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e81';

export const MergeView = Type.Object(
  {
    id: uuid('ID of the merge.'),
    contact_id: uuid('The contact that was kept.'),
    merged_contact_id: uuid('The contact that was merged into it.'),
    actor: Type.Object(
      {
        kind: choiceOf(actorKinds, 'Who did it.'),
        id: nullableText('ID of the agent or key.'),
      },
      { description: 'Who did it.' },
    ),
    merged_at: time('When it happened.'),
    undone_at: nullableTime('When the merge was undone. Null if it is in effect.'),
  },
  named('ContactMerge', 'Two contacts that were merged.'),
);

export const mergeExample: JsonObject = {
  id: mergeExampleId,
  contact_id: contactExampleId,
  merged_contact_id: mergedExampleId,
  actor: { kind: 'key', id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f20' },
  merged_at: '2030-01-01T09:00:00.000Z',
  undone_at: null,
};
