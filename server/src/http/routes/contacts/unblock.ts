import { updateContact } from '#operations/manage-contacts';
import { defineOperation } from '../../operation.ts';
import { answerOnce } from '../../plugins/answer-once.ts';
import { ContactIdParams } from '../../schemas/contact.ts';
import { NoBody } from '../../schemas/parameters.ts';
import { answerContact, changedContact, contactRequest } from './read-contact.ts';

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
  handle: (context) => {
    const { rt, db } = context;
    return (request, reply) =>
      answerOnce(context, request, reply, async () => {
        const contact = await updateContact(rt, db, contactRequest(request), { status: 'active' });
        return answerContact(reply, contact);
      });
  },
});
