import { releaseLease } from '#conversations/actions/lease-conversation';
import { presentConversation } from '#conversations/http/present/conversation';
import { ConversationParams, ConversationView, conversationExample } from '#conversations/http/schemas/conversation';
import { defineOperation } from '#http/operation';
import { assertAgent, requiredAgentHeader } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';

export const releaseConversationRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/conversations/:id/lease',
  operationId: 'releaseConversation',
  summary: 'Release the lock on a conversation',
  description:
    'Ends the lease of this agent. A lease that has expired, or that belongs to another agent, is not changed.',
  tag: 'Conversations',
  scope: 'conversations:write',
  params: ConversationParams,
  requestHeaders: [requiredAgentHeader],
  answer: {
    status: 200,
    description: 'The conversation.',
    schema: ConversationView,
    example: conversationExample,
  },
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const conversationId = request.params.id.toLowerCase();
      const one = await releaseLease(rt, db, { tenantId, conversationId, agentId: assertAgent(request) });
      return presentConversation(db, one, rt.clock.now());
    };
  },
});
