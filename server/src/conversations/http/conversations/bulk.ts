import Type from 'typebox';
import { type ChangeOutcome, changeManyConversations } from '#conversations/actions/change-many-conversations';
import { requireKnownAssignment } from '#conversations/actions/check-assignment';
import { requireMayAssign } from '#conversations/http/may-assign';
import { changeFields } from '#conversations/http/schemas/conversation';
import type { JsonObject } from '#core/json';
import { defineOperation } from '#http/operation';
import { actorOf } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';
import { choiceOf, uuid } from '#http/schemas/fields';
import { readChange } from './read-change.ts';

/** More would hold the caller up: each is a transaction of its own. */
const MAX_CONVERSATIONS = 100;
const conversationId = '0190a6f2-8c20-7a11-8f00-0a1b2c3d4e5f';

const Body = Type.Object(
  {
    ids: Type.Array(uuid('A conversation.'), {
      minItems: 1,
      maxItems: MAX_CONVERSATIONS,
      description: 'The conversations to change.',
    }),
    change: Type.Object(changeFields, {
      additionalProperties: false,
      minProperties: 1,
      description: 'The change to make to each of them.',
    }),
  },
  { additionalProperties: false, description: 'One change to many conversations.' },
);

const Outcome = Type.Object(
  {
    id: uuid('The conversation.'),
    status: Type.Integer({ description: 'The status that a single change would have returned.' }),
    outcome: choiceOf(['changed', 'unchanged', 'refused'], 'unchanged: it was so already.'),
    error: Type.Optional(Type.String({ description: 'Why it was refused: one sentence a person can act on.' })),
    code: Type.Optional(Type.String({ description: 'The stable error code; docs/errors.md describes each one.' })),
  },
  { description: 'The outcome for one conversation.' },
);

export const updateConversationsRoute = defineOperation({
  method: 'POST',
  path: '/v1/conversations/bulk',
  operationId: 'updateConversations',
  summary: 'Update many conversations',
  description:
    'Makes one change to up to 100 conversations, each independently, and returns the outcome of each, in the order of ids. Repeating the request changes nothing more.',
  tag: 'Conversations',
  scope: 'conversations:write',
  body: Body,
  bodyExamples: {
    resolve: { summary: 'Resolve', value: { ids: [conversationId], change: { status: 'resolved' } } },
  },
  takesIdempotencyKey: 'within',
  answer: {
    status: 200,
    description: 'The outcome for each conversation.',
    schema: Type.Object({ data: Type.Array(Outcome) }, { description: 'The outcomes, in the order of ids.' }),
    example: { data: [{ id: conversationId, status: 200, outcome: 'changed' }] },
    headers: ['Idempotent-Replayed'],
  },
  errors: [],
  handle: ({ rt, db }) => {
    return async (request, _reply, once) => {
      const { tenantId } = principalOf(request);
      const conversationIds = request.body.ids.map((id) => id.toLowerCase());
      const change = readChange(request.body.change);
      requireMayAssign(request, change);
      const wish = { tenantId, conversationIds, actor: actorOf(request), change };
      return once.run(async () => {
        await requireKnownAssignment(db, { tenantId, change, place: 'body.change' });
        return { data: (await changeManyConversations(rt, db, wish)).map(presentOutcome) };
      });
    };
  },
});

function presentOutcome(outcome: ChangeOutcome): JsonObject {
  const { conversationId: id } = outcome;
  if ('problem' in outcome) {
    const { message, code, status } = outcome.problem;
    return { id, status, outcome: 'refused', error: message, code };
  }
  const { before, after } = outcome.changed;
  return { id, status: 200, outcome: before === after ? 'unchanged' : 'changed' };
}
