import { createCannedReply } from '#conversations/actions/manage-canned-replies';
import { presentCannedReply } from '#conversations/http/present/canned-reply';
import {
  CannedReplyView,
  CreateCannedReply,
  cannedReplyExample,
  shortcutTakenExample,
} from '#conversations/http/schemas/canned-reply';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';

export const createCannedReplyRoute = defineOperation({
  method: 'POST',
  path: '/v1/canned-replies',
  operationId: 'createCannedReply',
  summary: 'Create a canned reply',
  description: 'Creates a text that agents insert by its shortcut.',
  tag: 'Contacts',
  scope: 'contacts:write',
  permission: 'replies:manage',
  body: CreateCannedReply,
  bodyExamples: { hours: { summary: 'Hours', value: { shortcut: 'hours', text: 'We are here from 9 to 17.' } } },
  takesIdempotencyKey: true,
  answer: {
    status: 201,
    description: 'The canned reply was created.',
    schema: CannedReplyView,
    example: cannedReplyExample,
    headers: ['Idempotent-Replayed', 'ETag'],
  },
  errors: ['conflict'],
  errorExamples: [shortcutTakenExample],
  handle: ({ rt, db }) => {
    return async (request) => {
      const made = await createCannedReply(rt, db, requesterOf(request), request.body);
      return presentCannedReply(made);
    };
  },
});
