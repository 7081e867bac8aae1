import Type from 'typebox';
import { presentAttribute } from '#contacts/http/present/contact-attribute';
import { AttributeView, attributeExample } from '#contacts/http/schemas/contact-attribute';
import { listAttributes } from '#contacts/store/contact-attributes';
import { answerList } from '#http/lists/answer-list';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation } from '#http/operation';
import { queryErrorExamples } from '#http/schemas/examples';
import { pageQuery } from '#http/schemas/lists';

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
  answer: pageAnswer('definitions', AttributeView, attributeExample),
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
