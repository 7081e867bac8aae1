import { relabelAttribute } from '#contacts/actions/change-attribute';
import { presentAttribute } from '#contacts/http/present/contact-attribute';
import {
  AttributeIdParams,
  AttributeView,
  attributeExample,
  ChangeAttribute,
  staleAttributeExample,
} from '#contacts/http/schemas/contact-attribute';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';

export const updateContactAttributeRoute = defineOperation({
  method: 'PATCH',
  path: '/v1/contact-attributes/:id',
  operationId: 'updateContactAttribute',
  summary: 'Rename a contact attribute',
  description:
    'Updates the attribute. Its key and type cannot be changed, because values were checked against them and conditions refer to them.',
  tag: 'Contacts',
  scope: 'contacts:write',
  permission: 'contacts:manage',
  params: AttributeIdParams,
  body: ChangeAttribute,
  bodyExamples: { label: { summary: 'Another label', value: { label: 'Date of birth' } } },
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The updated definition.',
    schema: AttributeView,
    example: attributeExample,
    headers: ['ETag'],
  },
  errors: ['not_found', 'precondition_failed'],
  errorExamples: [staleAttributeExample],
  handle: ({ rt, db }) => {
    return async (request) => {
      const attributeId = request.params.id.toLowerCase();
      const asked = { ...requesterOf(request), attributeId, versions: matchingVersions(request) };
      const changed = await relabelAttribute(rt, db, asked, request.body.label);
      return presentAttribute(changed);
    };
  },
});
