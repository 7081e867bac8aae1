import Type from 'typebox';
import { agentExampleId } from '#agents/http/schemas/agent';
import { bulkOutcomes, bulkStatuses, MAX_BULK_IDS, MAX_BULK_ITEMS } from '#conversations/domain/bulk-change';
import type { JsonObject } from '#core/json';
import {
  changeOf,
  choiceOf,
  named,
  nullableText,
  nullableTime,
  nullableUuid,
  optional,
  strictObject,
  time,
  uuid,
  viewOf,
  withExample,
} from '#http/schemas/fields';
import { ActorView, assigneeExampleId, changeFields, conversationExampleId } from './conversation.ts';
import { ConversationConditionBody } from './conversation-condition.ts';

export const bulkChangeExampleId = '0190a6f2-8c20-7a10-8f00-0a1b2c3d4eb0';

const count = (description: string) => Type.Integer({ description });

export const bulkChangeFields = {
  ...changeFields,
  read: Type.Literal(true, { description: 'Mark the conversations as read.' }),
};
export const BulkChangeBody = changeOf(bulkChangeFields, 'The change to make to each conversation.');

const Change = Type.Unsafe<JsonObject | null>({
  ...Type.Object(optional(bulkChangeFields)),
  type: ['object', 'null'],
  ...named('BulkChangeFields', 'What is changed in each conversation. Null: it undoes another bulk change.'),
});

const outcome = {
  id: uuid('ID of the bulk change.'),
  status: choiceOf(
    bulkStatuses,
    named('BulkChangeStatus', 'completed: each conversation has an outcome. canceled: the rest is left as it is.'),
  ),
  undoes: nullableUuid('The bulk change that this one undoes.'),
  undone_by: nullableUuid('The bulk change that undoes this one.'),
  total: count('Conversations: the sum of the following counts.'),
  waiting: count('Conversations that are not changed yet or, after a cancellation, never will be.'),
  changed: count('Conversations that were changed.'),
  unchanged: count('Conversations in which nothing had to be changed.'),
  refused: count('Conversations that could not be changed.'),
  actor: ActorView,
  undo_until: nullableTime('Until when it can be undone. Null if it cannot be.'),
  created_at: time(named('CreatedAt', 'When it was created.')),
  finished_at: nullableTime('When it finished.'),
};

export const BulkChangeView = viewOf(named('BulkChange', 'One change to many conversations.'), {
  ...outcome,
  change: Change,
});

export const BulkChangeEventData = Type.Object(
  {
    ...outcome,
    fields: Type.Array(Type.String(), { description: 'Fields that it was to change. Empty: it undid another one.' }),
  },
  named('BulkChangeEventData', 'A bulk change that ended, without the values that it set.'),
);

export const bulkChangeExample: JsonObject = {
  id: bulkChangeExampleId,
  status: 'queued',
  change: { status: 'resolved', add_tags: ['delivery'] },
  undoes: null,
  undone_by: null,
  total: 4312,
  waiting: 4312,
  changed: 0,
  unchanged: 0,
  refused: 0,
  actor: { kind: 'agent', id: agentExampleId },
  undo_until: null,
  created_at: '2030-01-01T09:00:00.000Z',
  finished_at: null,
};
export const finishedBulkChangeExample: JsonObject = {
  ...bulkChangeExample,
  status: 'completed',
  waiting: 0,
  changed: 4300,
  unchanged: 9,
  refused: 3,
  undo_until: '2030-01-02T09:01:00.000Z',
  finished_at: '2030-01-01T09:01:00.000Z',
};
const { change: _change, ...finished } = finishedBulkChangeExample;
export const bulkChangeEventExample: JsonObject = { ...finished, fields: ['status', 'add_tags'] };
export const undoExample: JsonObject = {
  ...bulkChangeExample,
  id: '0190a6f2-8c20-7a10-8f00-0a1b2c3d4eb1',
  change: null,
  undoes: bulkChangeExampleId,
  total: 4300,
  waiting: 4300,
};

export const BulkChangeParams = Type.Object({ id: withExample(uuid('ID of the bulk change.'), bulkChangeExampleId) });

const selection = {
  when: ConversationConditionBody,
  expected: Type.Integer({
    minimum: 0,
    maximum: MAX_BULK_ITEMS,
    description:
      'How many conversations you expect `when` to match. If the number differs by more than 5 percent, rounded down, nothing is changed.',
  }),
  ids: Type.Array(uuid('A conversation.'), {
    minItems: 1,
    maxItems: MAX_BULK_IDS,
    description: 'The conversations to change, instead of `when`.',
  }),
};

export const CreateBulkChange = strictObject('Conversations, and the change to make to each of them.', {
  ...optional(selection),
  change: BulkChangeBody,
});

export const createBulkChangeExamples = {
  condition: {
    summary: 'Resolve and tag all that match a condition',
    value: {
      when: { field: 'conversation.tags', match: 'has', value: 'recall' },
      expected: 1,
      change: { status: 'resolved', remove_tags: ['recall'] },
    },
  },
  ids: {
    summary: 'Assign these',
    value: { ids: [conversationExampleId], change: { assignee_id: assigneeExampleId } },
  },
};

export const BulkCountView = viewOf(named('BulkChangePreview', 'How many conversations a bulk change would have.'), {
  matching: count(`Conversations that match, up to ${MAX_BULK_ITEMS}.`),
  more: Type.Boolean({
    description: `true: more than ${MAX_BULK_ITEMS} match, which is too many for one bulk change.`,
  }),
});

export const BulkItemView = viewOf(named('BulkChangeItem', 'A conversation of a bulk change.'), {
  conversation_id: uuid('The conversation.'),
  outcome: choiceOf(
    bulkOutcomes,
    named('BulkChangeOutcome', 'waiting: not reached. unchanged: nothing had to be changed. refused: see reason.'),
  ),
  code: nullableText('Stable code of the refusal; docs/errors.md describes each one.'),
  reason: nullableText('Why it was refused, in one sentence.'),
});

export const bulkItemExample: JsonObject = {
  conversation_id: conversationExampleId,
  outcome: 'refused',
  code: 'conversation_conflict',
  reason: 'A conversation that is resolved cannot become snoozed.',
};
