import { updateContact } from '#operations/manage-contacts';
import { defineOperation } from '../../operation.ts';
import { answerOnce } from '../../plugins/answer-once.ts';
import { ContactIdParams } from '../../schemas/contact.ts';
import { NoBody } from '../../schemas/parameters.ts';
import { answerContact, changedContact, contactRequest } from './read-contact.ts';

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
  handle: (context) => {
    const { rt, db } = context;
    return (request, reply) =>
      answerOnce(context, request, reply, async () => {
        const contact = await updateContact(rt, db, contactRequest(request), { status: 'blocked' });
        return answerContact(reply, contact);
      });
  },
});
