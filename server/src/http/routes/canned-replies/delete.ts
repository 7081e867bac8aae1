import Type from 'typebox';
import { deleteCannedReply } from '#operations/manage-canned-replies';
import { defineOperation } from '../../operation.ts';
import { requesterOf } from '../../plugins/auth.ts';
import { ifMatchHeader, matchingVersions } from '../../plugins/if-match.ts';
import { CannedReplyParams, cannedReplyExample, staleReplyExample } from '../../schemas/canned-reply.ts';
import { choiceOf, uuid } from '../../schemas/fields.ts';

const Deleted = Type.Object(
  { id: uuid('Identifier of the canned reply that is gone.'), status: choiceOf(['deleted'], 'It is gone.') },
  { description: 'The canned reply was deleted.' },
);

export const deleteCannedReplyRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/canned-replies/:id',
  operationId: 'deleteCannedReply',
  summary: 'Delete a canned reply',
  description: 'Deletes the canned reply. Its shortcut can be used again, and messages written with it stay.',
  tag: 'Contacts',
  scope: 'contacts:write',
  permission: 'replies:manage',
  params: CannedReplyParams,
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The canned reply was deleted.',
    schema: Deleted,
    example: { id: cannedReplyExample.id ?? '', status: 'deleted' },
  },
  errors: ['not_found', 'precondition_failed'],
  errorExamples: [staleReplyExample],
  handle: ({ rt, db }) => {
    return async (request) => {
      const replyId = request.params.id.toLowerCase();
      await deleteCannedReply(rt, db, { ...requesterOf(request), replyId, versions: matchingVersions(request) });
      return { id: replyId, status: 'deleted' };
    };
  },
});
