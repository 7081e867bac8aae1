import Type from 'typebox';
import { contactExampleId } from '#contacts/http/schemas/contact';
import { actorKinds } from '#core/caller/actor';
import type { JsonObject } from '#core/json';
import type { ErrorExample } from '#http/operation';
import { choiceOf, named, nullableText, nullableTime, time, uuid } from '#http/schemas/fields';

export const mergeExampleId = '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e80';
export const mergedExampleId = '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e81';

export const MergeContact = Type.Object(
  { contact_id: uuid('The contact that becomes part of the one in the path.') },
  { additionalProperties: false, description: 'Which contact is the same person.' },
);

export const MergeView = Type.Object(
  {
    id: uuid('Identifier of the merge.'),
    contact_id: uuid('The contact that took the other in.'),
    merged_contact_id: uuid('The contact that was taken in.'),
    actor: Type.Object(
      {
        kind: choiceOf(actorKinds, 'Who did it.'),
        id: nullableText('Identifier of the agent or the key.'),
      },
      { description: 'Who did it.' },
    ),
    merged_at: time('When it was done.'),
    undone_at: nullableTime('When it was taken back; null while it holds.'),
  },
  named('ContactMerge', 'Two contacts that were found to be one person.'),
);

export const mergeExample: JsonObject = {
  id: mergeExampleId,
  contact_id: contactExampleId,
  merged_contact_id: mergedExampleId,
  actor: { kind: 'key', id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f20' },
  merged_at: '2030-01-01T09:00:00.000Z',
  undone_at: null,
};

export const unknownMergedExample: ErrorExample = {
  name: 'unknownContact',
  code: 'validation_failed',
  body: {
    error: 'contact_id does not name a contact of this tenant.',
    code: 'validation_failed',
    details: [{ path: 'body.contact_id', message: 'contact_id does not name a contact of this tenant' }],
  },
};

export const mergedAlreadyExample: ErrorExample = {
  name: 'mergedAlready',
  code: 'contact_merged',
  body: {
    error: `The contact ${mergedExampleId} is part of the contact ${contactExampleId} already.`,
    code: 'contact_merged',
  },
};

export const notMergedExample: ErrorExample = {
  name: 'notMerged',
  code: 'contact_not_merged',
  body: { error: 'This contact has not been merged into another contact.', code: 'contact_not_merged' },
};

export const laterMergeExample: ErrorExample = {
  name: 'laterMerge',
  code: 'merge_not_last',
  body: {
    error: `The contact ${mergedExampleId} was merged into ${contactExampleId} since. Unmerge it first.`,
    code: 'merge_not_last',
  },
};
