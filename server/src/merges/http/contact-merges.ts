import { contactJson } from '#contacts/domain/contact-json';
import { changedContact, contactRequest, contactResource } from '#contacts/http/contact-resource';
import { contactExampleId } from '#contacts/http/schemas/contact';
import { findContact } from '#contacts/store/contacts';
import { requireFound } from '#core/errors';
import type { JsonObject } from '#core/json';
import { answerList } from '#http/lists/answer-list';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation, type Operation } from '#http/operation';
import { actorOf } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';
import { ifMatchHeader } from '#http/plugins/if-match';
import { belowItem } from '#http/resource';
import { errorExample, faultExample, staleExample } from '#http/schemas/errors';
import { queryOf, strictObject, uuid } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';
import { NoBody } from '#http/schemas/parameters';
import { formatRfc3339, timeOrNull } from '#http/validation/rfc3339';
import { mergeContacts } from '#merges/actions/merge-contacts';
import { unmergeContacts } from '#merges/actions/unmerge-contact';
import { type ContactMerge, listMerges } from '#merges/store/contact-merges';
import { MergeView, mergedExampleId, mergeExample } from './schemas/contact-merge.ts';

const mergeContactRoute = defineOperation({
  method: 'POST',
  ...belowItem(contactResource, 'merge', 'write'),
  operationId: 'mergeContact',
  summary: 'Merge a contact into another',
  description:
    'Merges the contact in the body into the one in the path, which takes over its numbers, conversations, messages, tags, attributes and consent; the merged ID refers to it from then on. Where both have a value, the one in the path wins; for what may be sent, the stricter one wins. The merge can be undone.',
  body: strictObject('The contact to merge.', {
    contact_id: uuid('The contact to merge into the one in the path.'),
  }),
  bodyExamples: { contact: { summary: 'Merge a duplicate', value: { contact_id: mergedExampleId } } },
  requestHeaders: [ifMatchHeader],
  takesIdempotencyKey: 'within',
  answer: changedContact,
  errors: ['not_found'],
  errorExamples: [
    faultExample('unknownContact', 'validation_failed', {
      path: 'body.contact_id',
      message: 'contact_id does not name a contact of this tenant',
    }),
    errorExample(
      'mergedAlready',
      'contact_merged',
      `Contact ${mergedExampleId} is already part of contact ${contactExampleId}.`,
    ),
    staleExample('contact'),
  ],
  handle: ({ rt }) => {
    return async (request, _reply, once) => {
      const mergedId = request.body.contact_id.toLowerCase();
      const asked = { ...contactRequest(request), mergedId, actor: actorOf(request) };
      return once.change((db) => mergeContacts(rt, db, asked), contactJson);
    };
  },
});

const unmergeContactRoute = defineOperation({
  method: 'POST',
  ...belowItem(contactResource, 'unmerge', 'write'),
  operationId: 'unmergeContact',
  summary: 'Undo a merge',
  description:
    'Undoes a merge. The contact in the path, which was merged into another, becomes a separate contact again, with the numbers, conversations and messages that it had. Data that has not changed since is restored in both contacts; data that was changed stays with the other one. The merges of a contact are undone in reverse order, starting with the last.',
  body: NoBody,
  bodyIsOptional: true,
  takesIdempotencyKey: 'within',
  answer: { ...changedContact, description: 'The contact, which is separate again.' },
  errors: ['not_found'],
  errorExamples: [
    errorExample('notMerged', 'contact_not_merged', 'This contact has not been merged into another contact.'),
    errorExample(
      'laterMerge',
      'merge_not_last',
      `Contact ${mergedExampleId} has since been merged into ${contactExampleId}. Unmerge it first.`,
    ),
  ],
  handle: ({ rt }) => {
    return async (request, _reply, once) => {
      const asked = { ...contactRequest(request), actor: actorOf(request) };
      return once.change((db) => unmergeContacts(rt, db, asked), contactJson);
    };
  },
});

const listContactMergesRoute = defineOperation({
  method: 'GET',
  ...belowItem(contactResource, 'merges', 'read'),
  operationId: 'listContactMerges',
  summary: 'List the merges of a contact',
  description:
    'Returns the merges that the contact was part of, on either side, including those that were undone, newest first.',
  query: queryOf(pageQuery),
  answer: pageAnswer('merges', MergeView, mergeExample),
  errors: ['not_found'],
  handle: ({ db, cursorKey }) => {
    return async (request, reply) => {
      const contactId = request.params.id.toLowerCase();
      requireFound(await findContact(db, principalOf(request).tenantId, contactId));
      return answerList(request, reply, {
        cursorKey,
        name: 'contact_merges',
        filter: { contactId },
        read: (tenantId, window) => listMerges(db, tenantId, contactId, window),
        idOf: ({ mergeId }) => mergeId,
        present: mergeJson,
      });
    };
  },
});

/** In the order of the documentation. */
export const contactMergeOperations: readonly Operation[] = [
  mergeContactRoute,
  unmergeContactRoute,
  listContactMergesRoute,
];

/** A merge as the API shows it. */
export function mergeJson({ mergeId, survivorId, mergedId, actor, mergedMs, undoneMs }: ContactMerge): JsonObject {
  return {
    id: mergeId,
    contact_id: survivorId,
    merged_contact_id: mergedId,
    actor: { kind: actor.kind, id: actor.id },
    merged_at: formatRfc3339(mergedMs),
    undone_at: timeOrNull(undoneMs),
  };
}
