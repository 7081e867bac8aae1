import Type from 'typebox';
import { createContact } from '#contacts/actions/manage-contacts';
import { contactJson } from '#contacts/domain/contact-json';
import { ContactView, CreateContact, contactExample, contactExistsExample } from '#contacts/http/schemas/contact';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { choiceOf, withExample } from '#http/schemas/fields';
import { readContactBody } from './read-contact.ts';

const Query = Type.Object(
  {
    on_conflict: Type.Optional(
      withExample(choiceOf(['refuse', 'update'], 'When there is such a contact; default refuse.'), 'update'),
    ),
  },
  { additionalProperties: false },
);

export const createContactRoute = defineOperation({
  method: 'POST',
  path: '/v1/contacts',
  operationId: 'createContact',
  summary: 'Create a contact',
  description:
    'Creates a contact. One person is one contact: variants of the same number (Brazil with and without the 9, Mexico 52 and 521, Argentina 54 and 549) belong to the same contact. If the contact already exists, the response is a 409 that names it or, with on_conflict=update, the updated contact.',
  tag: 'Contacts',
  scope: 'contacts:write',
  query: Query,
  body: CreateContact,
  bodyExamples: {
    contact: {
      summary: 'A contact with a tag',
      value: { phone: '+44 7700 900123', name: 'Ada Obi', language: 'en', tags: ['VIP'] },
    },
  },
  takesIdempotencyKey: 'within',
  answer: {
    status: 201,
    description: 'The contact was created.',
    schema: ContactView,
    example: contactExample,
    headers: ['Idempotent-Replayed', 'ETag'],
  },
  otherAnswers: [
    {
      status: 200,
      description: 'The contact already existed and was updated.',
      schema: ContactView,
      example: contactExample,
      headers: ['Idempotent-Replayed', 'ETag'],
    },
  ],
  errors: ['contact_exists'],
  errorExamples: [contactExistsExample],
  handle: ({ rt }) => {
    return async (request, reply, once) => {
      const { tenantId } = principalOf(request);
      const asked = { tenantId, onConflict: request.query.on_conflict ?? 'refuse' };
      const wish = readContactBody(request.body);
      return once.change(
        (db) => createContact(rt, db, asked, wish),
        ({ contact, created }) => {
          reply.code(created ? 201 : 200);
          return contactJson(contact);
        },
      );
    };
  },
});
