import Type from 'typebox';
import { listCannedReplies } from '#storage/canned-replies';
import { answerList } from '../../lists/answer-list.ts';
import { givenOnly } from '../../lists/filters.ts';
import { defineOperation } from '../../operation.ts';
import { presentCannedReply } from '../../present/canned-reply.ts';
import { CannedReplyView, cannedReplyExample } from '../../schemas/canned-reply.ts';
import { pageExample, queryErrorExamples } from '../../schemas/examples.ts';
import { text, withExample } from '../../schemas/fields.ts';
import { listOf, pageQuery } from '../../schemas/lists.ts';

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
  answer: {
    status: 200,
    description: 'A page of canned replies.',
    schema: listOf(CannedReplyView, 'A page of canned replies, newest first.'),
    example: pageExample(cannedReplyExample),
    headers: ['Link'],
  },
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
