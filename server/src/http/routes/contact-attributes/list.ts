import Type from 'typebox';
import { listAttributes } from '#storage/contact-attributes';
import { answerList } from '../../lists/answer-list.ts';
import { defineOperation } from '../../operation.ts';
import { presentAttribute } from '../../present/contact-attribute.ts';
import { AttributeView, attributeExample } from '../../schemas/contact-attribute.ts';
import { pageExample, queryErrorExamples } from '../../schemas/examples.ts';
import { listOf, pageQuery } from '../../schemas/lists.ts';

const Query = Type.Object(pageQuery, { additionalProperties: false });

export const listContactAttributesRoute = defineOperation({
  method: 'GET',
  path: '/v1/contact-attributes',
  operationId: 'listContactAttributes',
  summary: 'List contact attributes',
  description: 'Returns the custom attributes that the tenant keeps about its contacts, newest first.',
  tag: 'Contacts',
  scope: 'contacts:read',
  query: Query,
  answer: {
    status: 200,
    description: 'A page of definitions.',
    schema: listOf(AttributeView, 'A page of definitions, newest first.'),
    example: pageExample(attributeExample),
    headers: ['Link'],
  },
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ db, cursorKey }) => {
    return (request, reply) =>
      answerList(request, reply, {
        cursorKey,
        name: 'contact_attributes',
        read: (tenantId, window) => listAttributes(db, tenantId, window),
        idOf: (definition) => definition.attributeId,
        present: presentAttribute,
      });
  },
});
