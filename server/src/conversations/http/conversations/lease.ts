import { takeLease } from '#conversations/actions/lease-conversation';
import { presentConversation } from '#conversations/http/present/conversation';
import {
  ConversationParams,
  ConversationView,
  conversationConflictExample,
  conversationExample,
} from '#conversations/http/schemas/conversation';
import { defineOperation } from '#http/operation';
import { assertAgent, requiredAgentHeader } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';
import { NoBody } from '#http/schemas/parameters';

export const leaseConversationRoute = defineOperation({
  method: 'POST',
  path: '/v1/conversations/:id/lease',
  operationId: 'leaseConversation',
  summary: 'Lock a conversation while composing a reply',
  description:
    'Shows for 30 seconds that this agent is writing; repeat the request for as long as the agent writes. During that time, nobody else can reply without force.',
  tag: 'Conversations',
  scope: 'conversations:write',
  params: ConversationParams,
  body: NoBody,
  bodyIsOptional: true,
  requestHeaders: [requiredAgentHeader],
  takesIdempotencyKey: 'within',
  answer: {
    status: 200,
    description: 'The conversation with its lease.',
    schema: ConversationView,
    example: conversationExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: ['not_found', 'conversation_conflict'],
  errorExamples: [
    conversationConflictExample('held', 'Agent 0190a6f2-9a00-7b00-8c00-0a1b2c3d4e60 is writing in this conversation.'),
  ],
  handle: ({ rt, db }) => {
    return async (request, _reply, once) => {
      const { tenantId } = principalOf(request);
      const wish = { tenantId, conversationId: request.params.id.toLowerCase(), agentId: assertAgent(request) };
      return once.run(async () => presentConversation(db, await takeLease(rt, db, wish), rt.clock.now()));
    };
  },
});
