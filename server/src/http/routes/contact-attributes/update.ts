import { relabelAttribute } from '#operations/change-attribute';
import { defineOperation } from '../../operation.ts';
import { requesterOf } from '../../plugins/auth.ts';
import { ifMatchHeader, matchingVersions, tagVersion } from '../../plugins/if-match.ts';
import { presentAttribute } from '../../present/contact-attribute.ts';
import {
  AttributeIdParams,
  AttributeView,
  attributeExample,
  ChangeAttribute,
  staleAttributeExample,
} from '../../schemas/contact-attribute.ts';

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
    return async (request, reply) => {
      const attributeId = request.params.id.toLowerCase();
      const asked = { ...requesterOf(request), attributeId, versions: matchingVersions(request) };
      const changed = await relabelAttribute(rt, db, asked, request.body.label);
      tagVersion(reply, changed.version);
      return presentAttribute(changed);
    };
  },
});
