import Type from 'typebox';
import { ContactIdParams } from '#contacts/http/schemas/contact';
import { findContact } from '#contacts/store/contacts';
import { ApiProblem } from '#core/errors';
import type { JsonObject } from '#core/json';
import { answerList } from '#http/lists/answer-list';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { queryErrorExamples } from '#http/schemas/examples';
import { pageQuery } from '#http/schemas/lists';
import { formatRfc3339 } from '#http/validation/rfc3339';
import { MergeView, mergeExample } from '#merges/http/schemas/contact-merge';
import { type ContactMerge, listMerges } from '#merges/store/contact-merges';

const Query = Type.Object(pageQuery, { additionalProperties: false });

export const listContactMergesRoute = defineOperation({
  method: 'GET',
  path: '/v1/contacts/:id/merges',
  operationId: 'listContactMerges',
  summary: 'List the merges of a contact',
  description:
    'Returns the merges that the contact was part of, on either side, including those that were undone, newest first.',
  tag: 'Contacts',
  scope: 'contacts:read',
  params: ContactIdParams,
  query: Query,
  answer: pageAnswer('merges', MergeView, mergeExample),
  errors: ['not_found'],
  errorExamples: queryErrorExamples,
  handle: ({ db, cursorKey }) => {
    return async (request, reply) => {
      const contactId = request.params.id.toLowerCase();
      if ((await findContact(db, principalOf(request).tenantId, contactId)) === null) {
        throw new ApiProblem('not_found');
      }
      return answerList(request, reply, {
        cursorKey,
        name: 'contact_merges',
        filter: { contactId },
        read: (tenantId, window) => listMerges(db, tenantId, contactId, window),
        idOf: (merge) => merge.mergeId,
        present: presentMerge,
      });
    };
  },
});

function presentMerge({ mergeId, survivorId, mergedId, actor, mergedMs, undoneMs }: ContactMerge): JsonObject {
  return {
    id: mergeId,
    contact_id: survivorId,
    merged_contact_id: mergedId,
    actor: { kind: actor.kind, id: actor.id },
    merged_at: formatRfc3339(mergedMs),
    undone_at: undoneMs === null ? null : formatRfc3339(undoneMs),
  };
}
