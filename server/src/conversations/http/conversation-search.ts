import { readConversationCondition } from '#conversations/actions/conversation-condition';
import { conversationSorts, positionOf } from '#conversations/store/conversation-lists';
import { searchConversations } from '#conversations/store/conversation-search';
import { answerList } from '#http/lists/answer-list';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { choiceOf, optional, queryOf, strictObject } from '#http/schemas/fields';
import { listOf, pageQuery } from '#http/schemas/lists';
import { requireConditionScopes } from './condition-scopes.ts';
import { presentConversations } from './present/conversation.ts';
import { ConversationView, conversationExample } from './schemas/conversation.ts';
import { ConversationConditionBody } from './schemas/conversation-condition.ts';

const searchConversationsRoute = defineOperation({
  method: 'POST',
  path: '/v1/conversations/search',
  operationId: 'searchConversations',
  summary: 'Search conversations by a condition',
  description:
    'Returns the conversations that match a condition about them and their contacts, in the order of `sort`. Views use the same conditions. `conversation.assignee_id` also compares with `me`, the acting agent. For a condition about contacts, the key also needs contacts:read.',
  tag: 'Conversations',
  scope: 'conversations:read',
  query: queryOf(pageQuery),
  body: strictObject('Conversations to find.', {
    when: ConversationConditionBody,
    ...optional({
      sort: choiceOf(
        conversationSorts,
        'last_activity (default): newest first. waiting_since: only those with a waiting customer, longest wait first.',
      ),
    }),
  }),
  bodyExamples: {
    closing: {
      summary: 'Waiting customers whose window closes within two hours',
      value: {
        when: {
          all: [
            { field: 'conversation.waiting_since', match: 'exists' },
            { field: 'conversation.window', value: 'open' },
            { field: 'conversation.window_expires_at', match: 'lt', value: '+2h' },
          ],
        },
      },
    },
  },
  takesIdempotencyKey: true,
  answer: {
    ...pageAnswer('conversations', ConversationView, conversationExample),
    // Not always newest first.
    schema: listOf(ConversationView, 'A page of conversations.'),
  },
  handle: ({ rt, db, cursorKey }) => {
    return async (request, reply) => {
      const { when, sort = 'last_activity' } = request.body;
      const { tenantId } = principalOf(request);
      requireConditionScopes(request, when);
      const condition = await readConversationCondition(db, tenantId, { input: when, path: 'body.when' });
      const agentId = request.agent?.agentId ?? null;
      const search = { tenantId, agentId, condition, sort, nowMs: rt.clock.now() };
      return answerList(request, reply, {
        cursorKey,
        name: 'conversations_search',
        filter: { when: JSON.stringify(when), sort, agent: agentId ?? '' },
        read: async (_tenantId, window) => {
          const page = await searchConversations(db, search, window);
          // Together, because their contacts are read with them.
          const presented = await presentConversations(db, tenantId, page.items, search.nowMs);
          return { ...page, items: page.items.map((one, index) => ({ one, shown: presented[index] ?? {} })) };
        },
        idOf: ({ one }) => positionOf(one, sort),
        present: ({ shown }) => shown,
      });
    };
  },
});

/** In the order of the documentation. */
export const conversationSearchOperations: readonly Operation[] = [searchConversationsRoute];
