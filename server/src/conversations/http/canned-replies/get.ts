import { presentCannedReply } from '#conversations/http/present/canned-reply';
import { CannedReplyParams, CannedReplyView, cannedReplyExample } from '#conversations/http/schemas/canned-reply';
import { findCannedReply } from '#conversations/store/canned-replies';
import { requireFound } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';

export const getCannedReplyRoute = defineOperation({
  method: 'GET',
  path: '/v1/canned-replies/:id',
  operationId: 'getCannedReply',
  summary: 'Get a canned reply',
  description: 'Returns a text that agents insert by its shortcut, with its version.',
  tag: 'Contacts',
  scope: 'contacts:read',
  params: CannedReplyParams,
  answer: {
    status: 200,
    description: 'The canned reply.',
    schema: CannedReplyView,
    example: cannedReplyExample,
    headers: ['ETag'],
  },
  errors: ['not_found'],
  handle: ({ db }) => {
    return async (request) => {
      return presentCannedReply(
        requireFound(await findCannedReply(db, principalOf(request).tenantId, request.params.id.toLowerCase())),
      );
    };
  },
});
