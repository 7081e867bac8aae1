import { deleteAttribute } from '#contacts/actions/change-attribute';
import {
  AttributeIdParams,
  attributeExampleId,
  attributeUsedExample,
  staleAttributeExample,
} from '#contacts/http/schemas/contact-attribute';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';
import { deletedAnswer } from '#http/schemas/deleted';

export const deleteContactAttributeRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/contact-attributes/:id',
  operationId: 'deleteContactAttribute',
  summary: 'Delete a contact attribute',
  description:
    "Deletes the attribute's values from all contacts, then the attribute itself. No events are emitted for the individual contacts. A segment that uses the attribute must be changed first.",
  tag: 'Contacts',
  scope: 'contacts:write',
  permission: 'contacts:manage',
  params: AttributeIdParams,
  requestHeaders: [ifMatchHeader],
  answer: deletedAnswer('The attribute was deleted.', attributeExampleId),
  errors: ['not_found', 'conflict', 'precondition_failed'],
  errorExamples: [attributeUsedExample, staleAttributeExample],
  handle: ({ rt, db }) => {
    return async (request) => {
      const attributeId = request.params.id.toLowerCase();
      await deleteAttribute(rt, db, { ...requesterOf(request), attributeId, versions: matchingVersions(request) });
      return { id: attributeId, status: 'deleted' };
    };
  },
});
