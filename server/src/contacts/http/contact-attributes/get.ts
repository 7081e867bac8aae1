import { presentAttribute } from '#contacts/http/present/contact-attribute';
import { AttributeIdParams, AttributeView, attributeExample } from '#contacts/http/schemas/contact-attribute';
import { findAttribute } from '#contacts/store/change-attributes';
import { ApiProblem } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { tagVersion } from '#http/plugins/if-match';

export const getContactAttribute = defineOperation({
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
    return async (request, reply) => {
      const found = await findAttribute(db, principalOf(request).tenantId, request.params.id.toLowerCase());
      if (found === null) throw new ApiProblem('not_found');
      tagVersion(reply, found.version);
      return presentAttribute(found);
    };
  },
});
