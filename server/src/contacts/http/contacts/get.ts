import { contactJson } from '#contacts/domain/contact-json';
import { ContactIdParams, ContactView, contactExample } from '#contacts/http/schemas/contact';
import { findContact } from '#contacts/store/contacts';
import { ApiProblem } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';

export const getContactRoute = defineOperation({
  method: 'GET',
  path: '/v1/contacts/:id',
  operationId: 'getContact',
  summary: 'Get a contact',
  description: 'Returns what is known about a contact, and whether messages may be sent to it.',
  tag: 'Contacts',
  scope: 'contacts:read',
  params: ContactIdParams,
  answer: {
    status: 200,
    description: 'The contact.',
    schema: ContactView,
    example: contactExample,
    headers: ['ETag'],
  },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request) => {
      const contact = await findContact(db, principalOf(request).tenantId, request.params.id.toLowerCase());
      if (contact === null) throw new ApiProblem('not_found');
      return contactJson(contact);
    };
  },
});
