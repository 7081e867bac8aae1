import { presentAttribute } from '#contacts/http/present/contact-attribute';
import { AttributeIdParams, AttributeView, attributeExample } from '#contacts/http/schemas/contact-attribute';
import { findAttribute } from '#contacts/store/change-attributes';
import { requireFound } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';

export const getContactAttributeRoute = defineOperation({
  method: 'GET',
  path: '/v1/contact-attributes/:id',
  operationId: 'getContactAttribute',
  summary: 'Get a contact attribute',
  description: 'Returns the name of an attribute, and what its values are.',
  tag: 'Contacts',
  scope: 'contacts:read',
  params: AttributeIdParams,
  answer: {
    status: 200,
    description: 'The definition.',
    schema: AttributeView,
    example: attributeExample,
    headers: ['ETag'],
  },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request) => {
      return presentAttribute(
        requireFound(await findAttribute(db, principalOf(request).tenantId, request.params.id.toLowerCase())),
      );
    };
  },
});
