import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { tagVersion } from '../../plugins/if-match.ts';
import { demandConversation, presentConversation } from '../../present/conversation.ts';
import { ConversationParams, ConversationView, conversationExample } from '../../schemas/conversation.ts';

export const getConversation = defineOperation({
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
    return async (request, reply) => {
      const one = await demandConversation(db, principalOf(request).tenantId, request.params.id);
      tagVersion(reply, one.version);
      return presentConversation(db, one, rt.clock.now());
    };
  },
});
