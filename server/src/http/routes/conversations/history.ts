import Type from 'typebox';
import { listHistory } from '#storage/conversation-thread';
import { answerList } from '../../lists/answer-list.ts';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { demandConversation, presentHistory } from '../../present/conversation.ts';
import { ConversationParams, HistoryItem, historyExample } from '../../schemas/conversation.ts';
import { pageExample, queryErrorExamples } from '../../schemas/examples.ts';
import { listOf, pageQuery } from '../../schemas/lists.ts';

export const listConversationEvents = defineOperation({
  method: 'GET',
  path: '/v1/conversations/:id/events',
  operationId: 'listConversationEvents',
  summary: 'List the history of a conversation',
  description:
    'Returns every change to the conversation, with who made it and why, newest first. The history is never altered.',
  tag: 'Conversations',
  scope: 'conversations:read',
  params: ConversationParams,
  query: Type.Object({ ...pageQuery }, { additionalProperties: false }),
  answer: {
    status: 200,
    description: 'A page of changes.',
    schema: listOf(HistoryItem, 'A page of changes, newest first.'),
    example: pageExample(historyExample),
    headers: ['Link'],
  },
  errors: ['not_found'],
  errorExamples: queryErrorExamples,
  handle: ({ db, cursorKey }) => {
    return async (request, reply) => {
      const { conversationId } = await demandConversation(db, principalOf(request).tenantId, request.params.id);
      return answerList(request, reply, {
        cursorKey,
        name: 'conversation_events',
        filter: { conversationId },
        read: (tenantId, window) => listHistory(db, tenantId, conversationId, window),
        idOf: ({ eventId }) => eventId,
        present: presentHistory,
      });
    };
  },
});
