import Type from 'typebox';
import { deleteContact } from '#operations/manage-contacts';
import { defineOperation } from '../../operation.ts';
import { ifMatchHeader } from '../../plugins/if-match.ts';
import { ContactIdParams, contactExampleId, staleContactExample } from '../../schemas/contact.ts';
import { choiceOf, uuid } from '../../schemas/fields.ts';
import { contactRequest } from './read-contact.ts';

const Deleted = Type.Object(
  { id: uuid('Identifier of the contact that is gone.'), status: choiceOf(['deleted'], 'It is erased.') },
  { description: 'The contact is gone.' },
);

export const deleteContactRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/contacts/:id',
  operationId: 'deleteContact',
  summary: 'Erase a contact',
  description:
    'Erases who it is, what it is found by, and the texts that it wrote. Its messages keep their ids and are still counted. A number that was blocked or opted out stays so.',
  tag: 'Contacts',
  scope: 'contacts:write',
  permission: 'contacts:manage',
  params: ContactIdParams,
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The contact is gone.',
    schema: Deleted,
    example: { id: contactExampleId, status: 'deleted' },
  },
  errors: ['not_found', 'precondition_failed'],
  errorExamples: [staleContactExample],
  handle: ({ rt, db }) => {
    return async (request) => {
      const asked = contactRequest(request);
      await deleteContact(rt, db, asked);
      return { id: asked.contactId, status: 'deleted' };
    };
  },
});
