import Type from 'typebox';
import { updateConversation } from '#conversations/actions/change-conversation';
import { requireKnownAssignment } from '#conversations/actions/check-assignment';
import { requireMayAssign } from '#conversations/http/may-assign';
import { presentConversation } from '#conversations/http/present/conversation';
import {
  ConversationParams,
  ConversationView,
  changeFields,
  conversationConflictExample,
  conversationExample,
  staleConversation,
} from '#conversations/http/schemas/conversation';
import { withEvents } from '#events/actions/with-events';
import { defineOperation } from '#http/operation';
import { actorOf } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';
import { readChange } from './read-change.ts';

const Body = Type.Object(changeFields, {
  additionalProperties: false,
  minProperties: 1,
  description: 'The fields to change. Omitted fields stay unchanged.',
});

export const updateConversationRoute = defineOperation({
  method: 'PATCH',
  path: '/v1/conversations/:id',
  operationId: 'updateConversation',
  summary: 'Update a conversation',
  description:
    'Updates the conversation; either all changes are applied, or none. With If-Match, they are applied only if nobody has changed the conversation since you read it. Each change is recorded in its history and emitted as an event.',
  tag: 'Conversations',
  scope: 'conversations:write',
  params: ConversationParams,
  body: Body,
  bodyExamples: {
    take: {
      summary: 'Take it, as urgent',
      value: { assignee_id: '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e5f', priority: 'urgent', handled_by: 'agent' },
    },
    snooze: { summary: 'Put it off', value: { status: 'snoozed', snoozed_until: '2030-03-04T08:00:00Z' } },
    done: { summary: 'Resolve and tag it', value: { status: 'resolved', add_tags: ['delivery'] } },
  },
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The updated conversation.',
    schema: ConversationView,
    example: conversationExample,
    headers: ['ETag'],
  },
  errors: ['not_found', 'conversation_conflict', 'precondition_failed'],
  errorExamples: [
    conversationConflictExample('wakesWithoutSleep', 'A conversation that is open has no time to wake: snooze it.'),
    staleConversation,
  ],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const change = readChange(request.body);
      requireMayAssign(request, change);
      const asked = {
        tenantId,
        conversationId: request.params.id.toLowerCase(),
        actor: actorOf(request),
        cause: 'api',
        change,
        ifVersion: matchingVersions(request),
      };
      const { after } = await withEvents(rt, db, async (tx, events) => {
        await requireKnownAssignment(tx, { tenantId, change, place: 'body' });
        return updateConversation(rt, tx, events, asked);
      });
      return presentConversation(db, after, rt.clock.now());
    };
  },
});
