import { presentConversation, requireConversation } from '#conversations/http/present/conversation';
import { ConversationParams, ConversationView, conversationExample } from '#conversations/http/schemas/conversation';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';

export const getConversationRoute = defineOperation({
  method: 'GET',
  path: '/v1/conversations/:id',
  operationId: 'getConversation',
  summary: 'Get a conversation',
  description: 'Returns the current state of the conversation, and what may be sent to the customer at this moment.',
  tag: 'Conversations',
  scope: 'conversations:read',
  params: ConversationParams,
  answer: {
    status: 200,
    description: 'The conversation.',
    schema: ConversationView,
    example: conversationExample,
    headers: ['ETag'],
  },
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      const one = await requireConversation(db, principalOf(request).tenantId, request.params.id);
      return presentConversation(db, one, rt.clock.now());
    };
  },
});
