import Type from 'typebox';
import { ApiProblem } from '#core/errors';
import type { JsonObject } from '#core/json';
import { type ContactMerge, listMerges } from '#storage/contact-merges';
import { findContact } from '#storage/contacts';
import { answerList } from '../../lists/answer-list.ts';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { ContactIdParams } from '../../schemas/contact.ts';
import { MergeView, mergeExample } from '../../schemas/contact-merge.ts';
import { pageExample, queryErrorExamples } from '../../schemas/examples.ts';
import { listOf, pageQuery } from '../../schemas/lists.ts';
import { formatRfc3339 } from '../../validation/rfc3339.ts';

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
  answer: {
    status: 200,
    description: 'A page of merges.',
    schema: listOf(MergeView, 'A page of merges, newest first.'),
    example: pageExample(mergeExample),
    headers: ['Link'],
  },
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
