import { updateCannedReply } from '#conversations/actions/manage-canned-replies';
import { presentCannedReply } from '#conversations/http/present/canned-reply';
import {
  CannedReplyParams,
  CannedReplyView,
  ChangeCannedReply,
  cannedReplyExample,
  shortcutTakenExample,
  staleReplyExample,
} from '#conversations/http/schemas/canned-reply';
import { givenOnly } from '#http/lists/filters';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';

export const updateCannedReplyRoute = defineOperation({
  method: 'PATCH',
  path: '/v1/canned-replies/:id',
  operationId: 'updateCannedReply',
  summary: 'Update a canned reply',
  description: 'Updates the canned reply. Omitted fields stay unchanged, and so do messages written with it.',
  tag: 'Contacts',
  scope: 'contacts:write',
  permission: 'replies:manage',
  params: CannedReplyParams,
  body: ChangeCannedReply,
  bodyExamples: { text: { summary: 'Another text', value: { text: 'We are here from 8 to 18.' } } },
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The updated canned reply.',
    schema: CannedReplyView,
    example: cannedReplyExample,
    headers: ['ETag'],
  },
  errors: ['not_found', 'precondition_failed', 'conflict'],
  errorExamples: [staleReplyExample, shortcutTakenExample],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { shortcut, text } = request.body;
      const replyId = request.params.id.toLowerCase();
      const asked = { ...requesterOf(request), replyId, versions: matchingVersions(request) };
      const changed = await updateCannedReply(rt, db, asked, givenOnly({ shortcut, text }));
      return presentCannedReply(changed);
    };
  },
});
