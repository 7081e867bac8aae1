import Type from 'typebox';
import { presentHistory, requireConversation } from '#conversations/http/present/conversation';
import { ConversationParams, conversationHistoryExample, HistoryItem } from '#conversations/http/schemas/conversation';
import { listHistory } from '#conversations/store/conversation-thread';
import { answerList } from '#http/lists/answer-list';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { queryErrorExamples } from '#http/schemas/examples';
import { pageQuery } from '#http/schemas/lists';

export const listConversationEventsRoute = defineOperation({
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
  answer: pageAnswer('changes', HistoryItem, conversationHistoryExample),
  errors: ['not_found'],
  errorExamples: queryErrorExamples,
  handle: ({ db, cursorKey }) => {
    return async (request, reply) => {
      const { conversationId } = await requireConversation(db, principalOf(request).tenantId, request.params.id);
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
