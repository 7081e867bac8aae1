import { updateContact } from '#contacts/actions/manage-contacts';
import { contactJson } from '#contacts/domain/contact-json';
import {
  ChangeContact,
  ContactIdParams,
  ContactView,
  contactExample,
  contactExistsExample,
  staleContactExample,
} from '#contacts/http/schemas/contact';
import { defineOperation } from '#http/operation';
import { ifMatchHeader } from '#http/plugins/if-match';
import { contactRequest, readContactBody } from './read-contact.ts';

export const updateContactRoute = defineOperation({
  method: 'PATCH',
  path: '/v1/contacts/:id',
  operationId: 'updateContact',
  summary: 'Update a contact',
  description:
    'Updates the contact. Omitted fields stay unchanged; attributes are changed individually, tags are replaced as a whole.',
  tag: 'Contacts',
  scope: 'contacts:write',
  params: ContactIdParams,
  body: ChangeContact,
  bodyExamples: {
    name: { summary: 'Another name', value: { name: 'Ada Obi', language: 'en-GB' } },
    tags: { summary: 'All tags', value: { tags: ['VIP', 'wholesale'] } },
  },
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The updated contact.',
    schema: ContactView,
    example: contactExample,
    headers: ['ETag'],
  },
  errors: ['not_found', 'precondition_failed', 'contact_exists'],
  errorExamples: [staleContactExample, contactExistsExample],
  handle: ({ rt, db }) => {
    return async (request) => {
      const wish = readContactBody(request.body);
      return contactJson(await updateContact(rt, db, contactRequest(request), wish));
    };
  },
});
