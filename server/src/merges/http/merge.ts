import { contactJson } from '#contacts/domain/contact-json';
import { contactRequest } from '#contacts/http/contacts/read-contact';
import { ContactIdParams, ContactView, contactExample, staleContactExample } from '#contacts/http/schemas/contact';
import { defineOperation } from '#http/operation';
import { actorOf } from '#http/plugins/agent';
import { requesterOf } from '#http/plugins/auth';
import { ifMatchHeader } from '#http/plugins/if-match';
import { mergeContacts } from '#merges/actions/merge-contacts';
import {
  MergeContact,
  mergedAlreadyExample,
  mergedExampleId,
  unknownMergedExample,
} from '#merges/http/schemas/contact-merge';

export const mergeContactRoute = defineOperation({
  method: 'POST',
  path: '/v1/contacts/:id/merge',
  operationId: 'mergeContact',
  summary: 'Merge a contact into another',
  description:
    'Merges the contact in the body into the one in the path, which takes over its numbers, conversations, messages, tags, attributes and consent; the merged id leads to it from then on. Where both have a value, the one in the path wins; for what may be sent, the stricter one wins. The merge can be undone.',
  tag: 'Contacts',
  scope: 'contacts:write',
  params: ContactIdParams,
  body: MergeContact,
  bodyExamples: { contact: { summary: 'The same person', value: { contact_id: mergedExampleId } } },
  requestHeaders: [ifMatchHeader],
  takesIdempotencyKey: 'within',
  answer: {
    status: 200,
    description: 'The updated contact.',
    schema: ContactView,
    example: contactExample,
    headers: ['Idempotent-Replayed', 'ETag'],
  },
  errors: ['not_found', 'contact_merged', 'precondition_failed'],
  errorExamples: [unknownMergedExample, mergedAlreadyExample, staleContactExample],
  handle: ({ rt }) => {
    return async (request, _reply, once) => {
      const mergedId = request.body.contact_id.toLowerCase();
      const asked = { ...contactRequest(request), ...requesterOf(request), mergedId, actor: actorOf(request) };
      return once.change((db) => mergeContacts(rt, db, asked), contactJson);
    };
  },
});
