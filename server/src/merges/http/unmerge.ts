import { contactJson } from '#contacts/domain/contact-json';
import { ContactIdParams, ContactView, contactExample } from '#contacts/http/schemas/contact';
import { defineOperation } from '#http/operation';
import { actorOf } from '#http/plugins/agent';
import { requesterOf } from '#http/plugins/auth';
import { NoBody } from '#http/schemas/parameters';
import { unmergeContacts } from '#merges/actions/unmerge-contact';
import { laterMergeExample, notMergedExample } from '#merges/http/schemas/contact-merge';

export const unmergeContactRoute = defineOperation({
  method: 'POST',
  path: '/v1/contacts/:id/unmerge',
  operationId: 'unmergeContact',
  summary: 'Undo a merge',
  description:
    'Undoes a merge. The contact in the path, which was merged into another, becomes a separate contact again, with the numbers, conversations and messages that it had. Data that nobody has changed since is restored in both contacts; data that was changed stays with the other one. The merges of a contact are undone in reverse order, starting with the last.',
  tag: 'Contacts',
  scope: 'contacts:write',
  params: ContactIdParams,
  body: NoBody,
  bodyIsOptional: true,
  takesIdempotencyKey: 'within',
  answer: {
    status: 200,
    description: 'The contact, which is separate again.',
    schema: ContactView,
    example: contactExample,
    headers: ['Idempotent-Replayed', 'ETag'],
  },
  errors: ['not_found', 'contact_not_merged', 'merge_not_last'],
  errorExamples: [notMergedExample, laterMergeExample],
  handle: ({ rt }) => {
    return async (request, _reply, once) => {
      const contactId = request.params.id.toLowerCase();
      const asked = { ...requesterOf(request), contactId, actor: actorOf(request) };
      return once.change((db) => unmergeContacts(rt, db, asked), contactJson);
    };
  },
});
