import { ApiProblem } from '#core/errors';
import { findCannedReply } from '#storage/canned-replies';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { tagVersion } from '../../plugins/if-match.ts';
import { presentCannedReply } from '../../present/canned-reply.ts';
import { CannedReplyParams, CannedReplyView, cannedReplyExample } from '../../schemas/canned-reply.ts';

export const getCannedReply = defineOperation({
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
    return async (request, reply) => {
      const found = await findCannedReply(db, principalOf(request).tenantId, request.params.id.toLowerCase());
      if (found === null) throw new ApiProblem('not_found');
      tagVersion(reply, found.version);
      return presentCannedReply(found);
    };
  },
});
