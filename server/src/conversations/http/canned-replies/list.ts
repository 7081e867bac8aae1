import Type from 'typebox';
import { presentCannedReply } from '#conversations/http/present/canned-reply';
import { CannedReplyView, cannedReplyExample } from '#conversations/http/schemas/canned-reply';
import { listCannedReplies } from '#conversations/store/canned-replies';
import { answerList } from '#http/lists/answer-list';
import { givenOnly } from '#http/lists/filters';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation } from '#http/operation';
import { queryErrorExamples } from '#http/schemas/examples';
import { text, withExample } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';

const Query = Type.Object(
  { ...pageQuery, prefix: Type.Optional(withExample(text(50, 'Only shortcuts that begin so.'), 'ho')) },
  { additionalProperties: false },
);

export const listCannedRepliesRoute = defineOperation({
  method: 'GET',
  path: '/v1/canned-replies',
  operationId: 'listCannedReplies',
  summary: 'List canned replies',
  description: 'Returns the texts that agents insert by shortcut, newest first.',
  tag: 'Contacts',
  scope: 'contacts:read',
  query: Query,
  answer: pageAnswer('canned replies', CannedReplyView, cannedReplyExample),
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ db, cursorKey }) => {
    return (request, reply) => {
      const filter = givenOnly({ prefix: request.query.prefix });
      return answerList(request, reply, {
        cursorKey,
        name: 'canned_replies',
        filter,
        read: (tenantId, window) => listCannedReplies(db, { tenantId, ...filter }, window),
        idOf: (one) => one.replyId,
        present: presentCannedReply,
      });
    };
  },
});
