import Type from 'typebox';
import { type ChangeOutcome, changeManyConversations } from '#conversations/actions/change-many-conversations';
import { requireKnownAssignment } from '#conversations/actions/check-assignment';
import type { JsonObject } from '#core/json';
import { defineOperation, type Operation } from '#http/operation';
import { actorOf } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';
import { getOperation, type Resource, updateOperation } from '#http/resource';
import { staleExample } from '#http/schemas/errors';
import { changeOf, choiceOf, optional, strictObject, uuid } from '#http/schemas/fields';
import { ChangeConversation, makeChange, readChange } from './conversation-change.ts';
import { presentConversation, requireConversation } from './present/conversation.ts';
import {
  assigneeExampleId,
  ConversationParams,
  ConversationView,
  changeFields,
  conversationConflictExample,
  conversationExample,
  conversationExampleId,
} from './schemas/conversation.ts';

/** Its items come from the database as they are shown, because their contacts are read with them. */
export const conversationResource: Resource<JsonObject> = {
  path: '/v1/conversations',
  name: 'Conversation',
  noun: 'conversation',
  tag: 'Conversations',
  scopes: { read: 'conversations:read', write: 'conversations:write' },
  params: ConversationParams,
  view: ConversationView,
  example: conversationExample,
  stale: staleExample('conversation'),
  present: (shown) => shown,
};

/** More would hold the caller up: each is a transaction of its own. */
const MAX_CONVERSATIONS = 100;

const ChangeMany = strictObject('One change to many conversations.', {
  ids: Type.Array(uuid('A conversation.'), {
    minItems: 1,
    maxItems: MAX_CONVERSATIONS,
    description: 'The conversations to change.',
  }),
  change: changeOf(changeFields, 'The change to make to each of them.'),
});

const Outcome = Type.Object(
  {
    id: uuid('The conversation.'),
    status: Type.Integer({ description: 'The status that a single change would have returned.' }),
    outcome: choiceOf(['changed', 'unchanged', 'refused'], 'unchanged: nothing had to be changed.'),
    ...optional({
      error: Type.String({ description: 'Why it was rejected, in one sentence.' }),
      code: Type.String({ description: 'The stable error code; docs/errors.md describes each one.' }),
    }),
  },
  { description: 'The outcome for one conversation.' },
);

const updateConversationsRoute = defineOperation({
  method: 'POST',
  path: '/v1/conversations/bulk',
  operationId: 'updateConversations',
  summary: 'Update many conversations',
  description:
    'Makes one change to up to 100 conversations, each independently, and returns the outcome of each, in the order of ids. Repeating the request changes nothing more.',
  tag: 'Conversations',
  scope: 'conversations:write',
  body: ChangeMany,
  bodyExamples: {
    resolve: { summary: 'Resolve', value: { ids: [conversationExampleId], change: { status: 'resolved' } } },
  },
  takesIdempotencyKey: 'within',
  answer: {
    status: 200,
    description: 'The outcome for each conversation.',
    schema: Type.Object({ data: Type.Array(Outcome) }, { description: 'The outcomes, in the order of ids.' }),
    example: { data: [{ id: conversationExampleId, status: 200, outcome: 'changed' }] },
  },
  handle: ({ rt, db }) => {
    return async (request, _reply, once) => {
      const { tenantId } = principalOf(request);
      const conversationIds = request.body.ids.map((id) => id.toLowerCase());
      const change = readChange(request, request.body.change);
      const asked = { tenantId, conversationIds, actor: actorOf(request), change };
      return once.run(async () => {
        await requireKnownAssignment(db, { tenantId, change, place: 'body.change' });
        return { data: (await changeManyConversations(rt, db, asked)).map(presentOutcome) };
      });
    };
  },
});

const getConversationRoute = getOperation(conversationResource, {
  description: 'Returns the current state of the conversation, and what may be sent to the customer at this moment.',
  find: async ({ rt, db }, tenantId, id) =>
    presentConversation(db, await requireConversation(db, tenantId, id), rt.clock.now()),
});

const updateConversationRoute = updateOperation(conversationResource, {
  description:
    'Updates the conversation; either all changes are applied, or none. With If-Match, they are applied only if the conversation has not changed since you read it. Each change is recorded in its history and emitted as an event.',
  body: ChangeConversation,
  bodyExamples: {
    take: {
      summary: 'Assign it and set its priority to urgent',
      value: { assignee_id: assigneeExampleId, priority: 'urgent', handled_by: 'agent' },
    },
    snooze: { summary: 'Snooze', value: { status: 'snoozed', snoozed_until: '2030-03-04T08:00:00Z' } },
    done: { summary: 'Resolve and tag', value: { status: 'resolved', add_tags: ['delivery'] } },
  },
  failures: [
    conversationConflictExample(
      'wakesWithoutSleep',
      'A conversation that is open cannot have snoozed_until. Snooze it instead.',
    ),
  ],
  update: async (context, { tenantId, id: conversationId, versions: ifVersion }, request) => {
    const change = readChange(request, request.body);
    return makeChange(context, { tenantId, conversationId, actor: actorOf(request), change, ifVersion });
  },
});

/** In the order of the documentation. */
export const conversationOperations: readonly Operation[] = [
  updateConversationsRoute,
  getConversationRoute,
  updateConversationRoute,
];

function presentOutcome(outcome: ChangeOutcome): JsonObject {
  const { conversationId: id } = outcome;
  if ('problem' in outcome) {
    const { message, code, status } = outcome.problem;
    return { id, status, outcome: 'refused', error: message, code };
  }
  const { before, after } = outcome.changed;
  return { id, status: 200, outcome: before === after ? 'unchanged' : 'changed' };
}
