import { defineAttribute } from '#contacts/actions/define-attribute';
import { presentAttribute } from '#contacts/http/present/contact-attribute';
import { AttributeView, attributeExample, CreateAttribute } from '#contacts/http/schemas/contact-attribute';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';

export const createContactAttributeRoute = defineOperation({
  method: 'POST',
  path: '/v1/contact-attributes',
  operationId: 'createContactAttribute',
  summary: 'Create a contact attribute',
  description:
    'Creates an attribute. From now on, contacts can have a value for it, and conditions can use it. A tenant can have at most 200.',
  tag: 'Contacts',
  scope: 'contacts:write',
  permission: 'contacts:manage',
  body: CreateAttribute,
  bodyExamples: {
    date: { summary: 'A date', value: { key: 'birthday', type: 'date', label: 'Birthday' } },
  },
  takesIdempotencyKey: true,
  answer: {
    status: 201,
    description: 'The attribute was created.',
    schema: AttributeView,
    example: attributeExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: ['conflict'],
  errorExamples: [
    {
      name: 'attributeExists',
      code: 'conflict',
      body: { error: 'There is an attribute birthday already, or the limit of 200 is reached.', code: 'conflict' },
    },
  ],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { key, type, label = key } = request.body;
      return presentAttribute(await defineAttribute(rt, db, requesterOf(request), { key, type, label }));
    };
  },
});
