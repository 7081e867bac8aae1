import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { contactExampleId } from '#contacts/http/schemas/contact';
import {
  type ConversationStatus,
  conversationPriorities,
  conversationStatuses,
} from '#conversations/domain/conversation';
import { type CountRow, readCounts } from '#conversations/store/conversation-counts';
import {
  type ConversationFilter,
  conversationSorts,
  listConversations,
  positionOf,
} from '#conversations/store/conversation-lists';
import { isUuid } from '#core/ids';
import type { JsonObject } from '#core/json';
import { answerList } from '#http/lists/answer-list';
import { givenOnly, optionalTimeMs } from '#http/lists/filters';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation, type Operation } from '#http/operation';
import { assertAgent } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';
import { choiceOf, named, optional, phoneNumberId, queryOf, text, time, uuid, withExample } from '#http/schemas/fields';
import { listOf, pageQuery } from '#http/schemas/lists';
import { NoQuery } from '#http/schemas/parameters';
import { problemOf } from '#http/validation/faults';
import { presentConversations } from './present/conversation.ts';
import { assigneeExampleId, ConversationView, conversationExample } from './schemas/conversation.ts';

const filters = optional({
  status: withExample(
    choiceOf(conversationStatuses, named('ConversationStatus', 'Only conversations with this status.')),
    'open',
  ),
  assignee: withExample(
    text(36, 'Only conversations of this agent. me: the agent in X-Agent-Id; none: unassigned conversations.'),
    'none',
  ),
  team: withExample(uuid('Only conversations of this team.'), assigneeExampleId),
  phone_number_id: withExample(phoneNumberId(), '106540352242922'),
  tag: withExample(text(64, 'Only conversations with this tag.'), 'delivery'),
  priority: withExample(
    choiceOf(conversationPriorities, named('ConversationPriority', 'Only conversations with this priority.')),
    'urgent',
  ),
  waiting: withExample(
    Type.Boolean({ description: 'true: only conversations with a waiting customer; false: only the others.' }),
    true,
  ),
  unread: withExample(
    Type.Boolean({ description: 'true: only conversations with unread messages; false: only the others.' }),
    true,
  ),
  q: withExample(text(200, 'Only conversations whose contact name or number starts with this string.'), 'ada'),
  contact_id: withExample(uuid('Only conversations with this contact.'), contactExampleId),
  updated_since: withExample(time('Only conversations changed at or after this time.'), '2030-01-01T00:00:00Z'),
  sort: withExample(
    choiceOf(
      conversationSorts,
      'last_activity: newest first. waiting_since: only conversations with a waiting customer, longest wait first.',
    ),
    'waiting_since',
  ),
});
const ListQuery = queryOf({ ...pageQuery, ...filters });
type ListQuery = Static<typeof ListQuery>;

const listConversationsRoute = defineOperation({
  method: 'GET',
  path: '/v1/conversations',
  operationId: 'listConversations',
  summary: 'List conversations',
  description:
    "Returns the tenant's conversations, most recently active first, or those with a waiting customer, longest wait first. A cursor continues where the page ended, even if conversations have moved since then.",
  tag: 'Conversations',
  scope: 'conversations:read',
  query: ListQuery,
  answer: {
    ...pageAnswer('conversations', ConversationView, conversationExample),
    // Not always newest first.
    schema: listOf(ConversationView, 'A page of conversations.'),
  },
  handle: ({ rt, db, cursorKey }) => {
    return (request, reply) => {
      const { sort = 'last_activity' } = request.query;
      const filter = filterOf(request, request.query);
      return answerList(request, reply, {
        cursorKey,
        name: 'conversations',
        filter: { ...identity(request.query), assignee: filter.assigneeId ?? '' },
        read: async (tenantId, window) => {
          const page = await listConversations(db, tenantId, { filter, sort, window });
          // Together, because their contacts are read with them.
          const presented = await presentConversations(db, tenantId, page.items, rt.clock.now());
          return { ...page, items: page.items.map((one, index) => ({ one, shown: presented[index] ?? {} })) };
        },
        idOf: ({ one }) => positionOf(one, sort),
        present: ({ shown }) => shown,
      });
    };
  },
});

const amount = (description: string) => Type.Integer({ description });
const amounts = (description: string) =>
  Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: { type: 'integer' }, description });

const Counts = Type.Object(
  {
    total: amount('All conversations.'),
    by_status: amounts('By status.'),
    active: Type.Object(
      {
        total: amount('All unresolved conversations.'),
        waiting: amount('Conversations with a waiting customer.'),
        unassigned: amount('Conversations without an agent.'),
        by_assignee: amounts('By agent.'),
        by_team: amounts('By team.'),
      },
      { description: 'Unresolved conversations.' },
    ),
  },
  { description: 'The number of conversations of each kind.' },
);

const countConversationsRoute = defineOperation({
  method: 'GET',
  path: '/v1/conversations/counts',
  operationId: 'countConversations',
  summary: 'Count conversations',
  description:
    'Returns the number of conversations by status, agent and team, and the number of waiting customers. The counts are always exact.',
  tag: 'Conversations',
  scope: 'conversations:read',
  query: NoQuery,
  answer: {
    status: 200,
    description: 'The counts.',
    schema: Counts,
    example: {
      total: 120,
      by_status: { open: 14, pending: 2, snoozed: 4, resolved: 100 },
      active: {
        total: 20,
        waiting: 9,
        unassigned: 3,
        by_assignee: { [assigneeExampleId]: 17 },
        by_team: {},
      },
    },
  },
  handle: ({ db }) => {
    return async (request) => presentCounts(await readCounts(db, principalOf(request).tenantId));
  },
});

/** In the order of the documentation. */
export const conversationListOperations: readonly Operation[] = [listConversationsRoute, countConversationsRoute];

/** What a cursor is bound to: everything of the query but the place in the list. */
function identity({ limit: _limit, offset: _offset, cursor: _cursor, ...rest }: ListQuery): Record<string, string> {
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]));
}

function filterOf(request: FastifyRequest, query: ListQuery): ConversationFilter {
  return givenOnly({
    status: query.status,
    assigneeId: assigneeOf(request, query.assignee),
    teamId: query.team?.toLowerCase(),
    phoneNumberId: query.phone_number_id,
    tag: query.tag,
    priority: query.priority,
    isWaiting: query.waiting,
    isUnread: query.unread,
    search: query.q,
    contactId: query.contact_id?.toLowerCase(),
    updatedSinceMs: optionalTimeMs(query.updated_since),
  });
}

function assigneeOf(request: FastifyRequest, assignee: string | undefined): string | null | undefined {
  if (assignee === undefined) return undefined;
  if (assignee === 'none') return null;
  if (assignee === 'me') return assertAgent(request);
  const id = assignee.toLowerCase();
  if (isUuid(id)) return id;
  throw problemOf([{ path: 'query.assignee', message: 'assignee must be me, none, or a UUID.' }]);
}

function presentCounts(rows: readonly CountRow[]): JsonObject {
  const active = rows.filter(({ status }) => status !== 'resolved');
  const ofStatus = (status: ConversationStatus) => sum(rows.filter((row) => row.status === status));
  return {
    total: sum(rows),
    by_status: Object.fromEntries(conversationStatuses.map((status) => [status, ofStatus(status)])),
    active: {
      total: sum(active),
      waiting: sum(active.filter(({ isWaiting }) => isWaiting)),
      unassigned: sum(active.filter(({ assigneeId }) => assigneeId === null)),
      by_assignee: sumsBy(active, ({ assigneeId }) => assigneeId),
      by_team: sumsBy(active, ({ teamId }) => teamId),
    },
  };
}

function sum(rows: readonly CountRow[]): number {
  return rows.reduce((total, row) => total + row.amount, 0);
}

function sumsBy(rows: readonly CountRow[], keyOf: (row: CountRow) => string | null): JsonObject {
  const sums: Record<string, number> = {};
  for (const row of rows) {
    const key = keyOf(row);
    if (key !== null) sums[key] = (sums[key] ?? 0) + row.amount;
  }
  return sums;
}
