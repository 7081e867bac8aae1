import { deleteCannedReply } from '#conversations/actions/manage-canned-replies';
import { CannedReplyParams, cannedReplyExample, staleReplyExample } from '#conversations/http/schemas/canned-reply';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';
import { deletedAnswer } from '#http/schemas/deleted';

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
  answer: deletedAnswer('The canned reply was deleted.', cannedReplyExample.id),
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
