import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import {
  type BulkCommand,
  type BulkSelection,
  beginBulkChange,
  cancelBulkChange,
  countMatching,
  undoBulkChange,
} from '#conversations/actions/manage-bulk-changes';
import {
  type BulkChange,
  bulkOutcomes,
  describeBulkChange,
  describeBulkItem,
  MAX_BULK_ITEMS,
} from '#conversations/domain/bulk-change';
import { listItems } from '#conversations/store/bulk-change-items';
import { findBulkChange, listBulkChanges } from '#conversations/store/bulk-changes';
import { requireFound } from '#core/errors';
import { answerList } from '#http/lists/answer-list';
import { givenOnly } from '#http/lists/filters';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation, type ErrorExample, type Operation } from '#http/operation';
import { actorOf, requirePermission } from '#http/plugins/agent';
import { principalOf, requesterOf } from '#http/plugins/auth';
import { belowItem, getOperation, listOperation, type Resource } from '#http/resource';
import { conflictExample } from '#http/schemas/errors';
import { choiceOf, named, queryOf, strictObject, withExample } from '#http/schemas/fields';
import { listOf, pageQuery } from '#http/schemas/lists';
import { NoBody } from '#http/schemas/parameters';
import { problemOf } from '#http/validation/faults';
import { requireConditionScopes } from './condition-scopes.ts';
import { readChange } from './conversation-change.ts';
import {
  BulkChangeParams,
  BulkChangeView,
  BulkCountView,
  BulkItemView,
  bulkChangeExample,
  bulkItemExample,
  CreateBulkChange,
  createBulkChangeExamples,
  finishedBulkChangeExample,
  undoExample,
} from './schemas/bulk-change.ts';
import { ConversationConditionBody } from './schemas/conversation-condition.ts';

const bulkChange: Resource<BulkChange> = {
  path: '/v1/bulk-changes',
  name: 'BulkChange',
  noun: 'bulk change',
  tag: 'Conversations',
  scopes: { read: 'conversations:read', write: 'conversations:write' },
  params: BulkChangeParams,
  view: BulkChangeView,
  example: bulkChangeExample,
  present: describeBulkChange,
};

/**
 * Which conversations a body names.
 * @throws ApiProblem validation_failed unless it is either a condition with its number, or ids
 */
function selectionOf({ when, expected, ids }: Static<typeof CreateBulkChange>): BulkSelection {
  if ((when === undefined) === (ids === undefined)) {
    throw problemOf([{ path: 'body', message: 'Send either when or ids.' }]);
  }
  if (ids !== undefined) {
    if (expected === undefined) return { ids: ids.map((id) => id.toLowerCase()) };
    throw problemOf([{ path: 'body.expected', message: 'expected belongs to when: the ids say how many they are.' }]);
  }
  if (when === undefined || expected === undefined) {
    throw problemOf([{ path: 'body.expected', message: 'expected is required with when.' }]);
  }
  return { when, expected };
}

const createBulkChangeRoute = defineOperation({
  method: 'POST',
  path: bulkChange.path,
  operationId: 'createBulkChange',
  summary: 'Change many conversations in the background',
  description:
    'Makes one change to up to 10000 conversations that match a condition, or to up to 1000 that you name. Each conversation is changed independently, as by a single update, and has an outcome of its own. Which conversations are changed is decided now. At most 10 bulk changes are queued or running at a time. They are kept for 7 days after they end.',
  tag: bulkChange.tag,
  scope: bulkChange.scopes.write,
  body: CreateBulkChange,
  bodyExamples: createBulkChangeExamples,
  takesIdempotencyKey: 'within',
  answer: {
    status: 202,
    description: 'The bulk change is queued; read it to follow its progress.',
    schema: BulkChangeView,
    example: bulkChangeExample,
  },
  errorExamples: [
    conflictExample(
      'countDiffers',
      '0 conversations match now, and you expected 4312. Look at them again. Nothing was changed.',
    ),
  ],
  handle: ({ rt }) => {
    return async (request, _reply, once) => {
      const { body } = request;
      const selection = selectionOf(body);
      requireConditionScopes(request, body.when);
      const change = readChange(request, body.change);
      const agentId = request.agent?.agentId ?? null;
      const asked = { ...requesterOf(request), actor: actorOf(request), agentId, selection, change };
      return once.change(
        (db) => beginBulkChange(rt, db, asked),
        (begun) => describeBulkChange(begun, rt.clock.now()),
      );
    };
  },
});

const previewBulkChangeRoute = defineOperation({
  method: 'POST',
  path: `${bulkChange.path}/preview`,
  operationId: 'previewBulkChange',
  summary: 'Count the conversations of a bulk change',
  description:
    'Returns how many conversations match a condition now: the number to show to people, and to send as `expected`. Nothing is changed.',
  tag: bulkChange.tag,
  scope: bulkChange.scopes.read,
  body: strictObject('Conversations to count.', { when: ConversationConditionBody }),
  bodyExamples: {
    open: { summary: 'All that are open', value: { when: { field: 'conversation.status', value: 'open' } } },
  },
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    description: 'The number.',
    schema: BulkCountView,
    example: { matching: 4312, more: false },
  },
  handle: ({ rt, db }) => {
    return async (request) => {
      const { when } = request.body;
      requireConditionScopes(request, when);
      const { tenantId } = principalOf(request);
      const found = await countMatching(rt, db, { tenantId, agentId: request.agent?.agentId ?? null, when });
      return { matching: Math.min(found, MAX_BULK_ITEMS), more: found > MAX_BULK_ITEMS };
    };
  },
});

const listBulkChangesRoute = listOperation(bulkChange, {
  description: 'Returns the bulk changes of all agents and keys, newest first.',
  query: {
    open: Type.Optional(withExample(Type.Boolean({ description: 'true: only those queued or running.' }), true)),
  },
  filter: ({ open }) => givenOnly({ open: open === true ? 'true' : undefined }),
  read: ({ db }, { tenantId, window, filter }) =>
    listBulkChanges(db, { tenantId, isOpen: filter.open !== undefined }, window),
  idOf: ({ bulkChangeId }) => bulkChangeId,
});

const getBulkChangeRoute = getOperation(bulkChange, {
  description: 'Returns the progress of a bulk change, with its conversations counted by outcome.',
  answer: { example: finishedBulkChangeExample },
  find: ({ db }, tenantId, id) => findBulkChange(db, tenantId, id),
});

const listBulkChangeItemsRoute = defineOperation({
  method: 'GET',
  ...belowItem(bulkChange, 'items', 'read'),
  operationId: 'listBulkChangeItems',
  summary: 'List the conversations of a bulk change',
  description:
    'Returns the conversations in the order in which they are changed, each with its outcome and the reason.',
  query: queryOf({
    ...pageQuery,
    outcome: Type.Optional(
      withExample(
        choiceOf(bulkOutcomes, named('BulkChangeOutcome', 'Only conversations with this outcome.')),
        'refused',
      ),
    ),
  }),
  answer: {
    ...pageAnswer('conversations', BulkItemView, bulkItemExample),
    // In the order of the change, not newest first.
    schema: listOf(BulkItemView, 'A page of conversations.'),
  },
  handle: ({ db, cursorKey }) => {
    return async (request, reply) => {
      const bulkChangeId = request.params.id.toLowerCase();
      const { outcome = null } = request.query;
      const found = requireFound(await findBulkChange(db, principalOf(request).tenantId, bulkChangeId));
      return answerList(request, reply, {
        cursorKey,
        name: `bulk_changes/${bulkChangeId}/items`,
        filter: givenOnly({ outcome: request.query.outcome }),
        read: async (_tenantId, { limit, offset, beforeId }) => {
          const afterPlace = beforeId === null ? 0 : Number.parseInt(beforeId.replaceAll('-', ''), 16);
          const items = await listItems(db, { ...found, outcome, afterPlace, offset, limit: limit + 1 });
          return { items: items.slice(0, limit), hasMore: items.length > limit };
        },
        // Cursors hold ids of 32 hex digits: a place is written as one.
        idOf: ({ place }) => place.toString(16).padStart(32, '0'),
        present: describeBulkItem,
      });
    };
  },
});

interface Command extends Pick<Operation, 'summary' | 'description' | 'answer'> {
  readonly verb: 'cancel' | 'undo';
  readonly conflict: ErrorExample;
  readonly run: typeof cancelBulkChange;
}

/** `POST /v1/bulk-changes/:id/{verb}`, once per Idempotency-Key. */
function commandOperation({ verb, conflict, run, ...described }: Command): Operation {
  return defineOperation({
    ...described,
    method: 'POST',
    ...belowItem(bulkChange, verb, 'write'),
    operationId: `${verb}BulkChange`,
    body: NoBody,
    bodyIsOptional: true,
    takesIdempotencyKey: 'within',
    errorExamples: [conflict],
    handle: ({ rt }) => {
      return async (request, _reply, once) => {
        const command = commandOf(request);
        return once.change(
          (db) => run(rt, db, command),
          (after) => describeBulkChange(after, rt.clock.now()),
        );
      };
    },
  });
}

/** Who may not assign to others may not interfere with what others have begun. */
function commandOf(request: FastifyRequest<{ Params: { id: string } }>): BulkCommand {
  const { agent } = request;
  return {
    ...requesterOf(request),
    bulkChangeId: request.params.id.toLowerCase(),
    actor: actorOf(request),
    requireOthers: () => requirePermission({ agent }, 'conversations:assign_others'),
  };
}

const cancelBulkChangeRoute = commandOperation({
  verb: 'cancel',
  summary: 'Cancel a bulk change',
  description:
    'Ends a bulk change where it is. Conversations that were changed stay changed, and can be put back with undo. An agent needs the permission conversations:assign_others to cancel what somebody else began.',
  answer: {
    status: 200,
    description: 'The canceled bulk change.',
    schema: BulkChangeView,
    example: { ...finishedBulkChangeExample, status: 'canceled', waiting: 312, changed: 3988 },
  },
  conflict: conflictExample(
    'bulkChangeEnded',
    'The bulk change is completed. Only one that is queued or running can be canceled.',
  ),
  run: cancelBulkChange,
});

const undoBulkChangeRoute = commandOperation({
  verb: 'undo',
  summary: 'Undo a bulk change',
  description:
    'Puts back what a bulk change changed, within 24 hours after it ended. It is a bulk change itself: a conversation in which somebody has changed the same field since is refused, and left as it is. An agent needs the permission conversations:assign_others to undo what somebody else began.',
  answer: {
    status: 202,
    description: 'The undo is queued; read it to follow its progress.',
    schema: BulkChangeView,
    example: undoExample,
  },
  conflict: conflictExample('bulkChangeRuns', 'The bulk change is running. Cancel it, or wait until it has ended.'),
  run: undoBulkChange,
});

/** In the order of the documentation. */
export const bulkChangeOperations: readonly Operation[] = [
  createBulkChangeRoute,
  previewBulkChangeRoute,
  listBulkChangesRoute,
  getBulkChangeRoute,
  listBulkChangeItemsRoute,
  cancelBulkChangeRoute,
  undoBulkChangeRoute,
];
