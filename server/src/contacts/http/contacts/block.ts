import { updateContact } from '#contacts/actions/manage-contacts';
import { contactJson } from '#contacts/domain/contact-json';
import { ContactIdParams } from '#contacts/http/schemas/contact';
import { defineOperation } from '#http/operation';
import { NoBody } from '#http/schemas/parameters';
import { changedContact, contactRequest } from './read-contact.ts';

export const blockContactRoute = defineOperation({
  method: 'POST',
  path: '/v1/contacts/:id/block',
  operationId: 'blockContact',
  summary: 'Block a contact',
  description:
    'Blocks the contact. Messages to it are refused within a second, and waiting ones fail. What it writes is still stored.',
  tag: 'Contacts',
  scope: 'contacts:write',
  params: ContactIdParams,
  body: NoBody,
  bodyIsOptional: true,
  takesIdempotencyKey: true,
  answer: changedContact,
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => contactJson(await updateContact(rt, db, contactRequest(request), { status: 'blocked' }));
  },
});
