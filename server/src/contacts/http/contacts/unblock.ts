import { updateContact } from '#contacts/actions/manage-contacts';
import { contactJson } from '#contacts/domain/contact-json';
import { ContactIdParams } from '#contacts/http/schemas/contact';
import { defineOperation } from '#http/operation';
import { NoBody } from '#http/schemas/parameters';
import { changedContact, contactRequest } from './read-contact.ts';

export const unblockContactRoute = defineOperation({
  method: 'POST',
  path: '/v1/contacts/:id/unblock',
  operationId: 'unblockContact',
  summary: 'Unblock a contact',
  description: 'Unblocks the contact. Messages can be sent to it again, within a second in every process.',
  tag: 'Contacts',
  scope: 'contacts:write',
  params: ContactIdParams,
  body: NoBody,
  bodyIsOptional: true,
  takesIdempotencyKey: true,
  answer: changedContact,
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => contactJson(await updateContact(rt, db, contactRequest(request), { status: 'active' }));
  },
});
