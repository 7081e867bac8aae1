import Type from 'typebox';
import { presentThreadEntry, requireConversation } from '#conversations/http/present/conversation';
import { ConversationParams, ThreadItem, threadExamples } from '#conversations/http/schemas/conversation';
import { listThread } from '#conversations/store/conversation-thread';
import { answerList } from '#http/lists/answer-list';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { queryErrorExamples } from '#http/schemas/examples';
import { uuid, withExample } from '#http/schemas/fields';
import { listOf, pageQuery } from '#http/schemas/lists';

const Query = Type.Object(
  {
    ...pageQuery,
    after: Type.Optional(
      withExample(uuid('Only what came after this message or note.'), '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01'),
    ),
  },
  { additionalProperties: false },
);

export const listConversationMessagesRoute = defineOperation({
  method: 'GET',
  path: '/v1/conversations/:id/messages',
  operationId: 'listConversationMessages',
  summary: 'List the messages of a conversation',
  description:
    'Returns what the customer wrote, what was sent, and the private notes in between, newest first. Use cursor to get older items, and after to get newer ones.',
  tag: 'Conversations',
  scope: 'conversations:read',
  params: ConversationParams,
  query: Query,
  answer: {
    status: 200,
    description: 'A page of messages and notes.',
    schema: listOf(ThreadItem, 'A page of messages and notes, newest first.'),
    example: { data: [...threadExamples], page: { limit: 50, offset: 0, has_more: false, next_cursor: null } },
    headers: ['Link'],
  },
  errors: ['not_found'],
  errorExamples: queryErrorExamples,
  handle: ({ db, cursorKey }) => {
    return async (request, reply) => {
      const { conversationId } = await requireConversation(db, principalOf(request).tenantId, request.params.id);
      const afterId = request.query.after?.toLowerCase() ?? null;
      return answerList(request, reply, {
        cursorKey,
        name: 'thread',
        filter: { conversationId, after: afterId ?? undefined },
        read: (tenantId, window) => listThread(db, { tenantId, conversationId, afterId, window }),
        idOf: ({ id }) => id,
        present: presentThreadEntry,
      });
    };
  },
});
