import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { conversationPriorities, conversationStatuses } from '#conversations/domain/conversation';
import { presentConversations } from '#conversations/http/present/conversation';
import { ConversationView, conversationExample } from '#conversations/http/schemas/conversation';
import {
  type ConversationFilter,
  conversationSorts,
  listConversations,
  positionOf,
} from '#conversations/store/conversation-lists';
import { isUuid } from '#core/ids';
import { givenOnly, optionalTimeMs } from '#http/lists/filters';
import { answerPage, listWindow } from '#http/lists/page';
import { defineOperation } from '#http/operation';
import { assertAgent } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';
import { pageExample, queryErrorExamples } from '#http/schemas/examples';
import { choiceOf, named, phoneNumberId, text, time, uuid, withExample } from '#http/schemas/fields';
import { listOf, pageQuery } from '#http/schemas/lists';
import { problemOf } from '#http/validation/faults';

const agent = '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e5f';

const Query = Type.Object(
  {
    ...pageQuery,
    status: Type.Optional(
      withExample(
        choiceOf(conversationStatuses, named('ConversationStatus', 'Only conversations in this status.')),
        'open',
      ),
    ),
    assignee: Type.Optional(
      withExample(text(36, 'Only those of this agent; me: of X-Agent-Id; none: of nobody.'), 'none'),
    ),
    team: Type.Optional(withExample(uuid('Only those of this team.'), agent)),
    phone_number_id: Type.Optional(withExample(phoneNumberId(), '106540352242922')),
    tag: Type.Optional(withExample(text(64, 'Only those with this tag.'), 'delivery')),
    priority: Type.Optional(
      withExample(
        choiceOf(conversationPriorities, named('ConversationPriority', 'Only those of this priority.')),
        'urgent',
      ),
    ),
    waiting: Type.Optional(
      withExample(Type.Boolean({ description: 'Whether the customer is waiting for a reply.' }), true),
    ),
    unread: Type.Optional(withExample(Type.Boolean({ description: 'Whether there are unread messages.' }), true)),
    q: Type.Optional(withExample(text(200, "How the contact's name or number begins."), 'ada')),
    contact_id: Type.Optional(
      withExample(uuid('Only those with this contact.'), '0190a6f2-8c20-7a10-8f00-0a1b2c3d4e5f'),
    ),
    updated_since: Type.Optional(withExample(time('Only those that changed since.'), '2030-01-01T00:00:00Z')),
    sort: Type.Optional(
      withExample(
        choiceOf(conversationSorts, 'last_activity: newest first; waiting_since: only who waits, longest first.'),
        'waiting_since',
      ),
    ),
  },
  { additionalProperties: false },
);
type Asked = Static<typeof Query>;

export const listConversationsRoute = defineOperation({
  method: 'GET',
  path: '/v1/conversations',
  operationId: 'listConversations',
  summary: 'List conversations',
  description:
    "Returns the tenant's conversations, most recently active first, or those with a waiting customer, longest wait first. A cursor continues where the page ended, even if conversations have moved since then.",
  tag: 'Conversations',
  scope: 'conversations:read',
  query: Query,
  answer: {
    status: 200,
    description: 'A page of conversations.',
    schema: listOf(ConversationView, 'A page of conversations.'),
    example: pageExample(conversationExample),
    headers: ['Link'],
  },
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ rt, db, cursorKey }) => {
    return async (request, reply) => {
      const { tenantId } = principalOf(request);
      const { query } = request;
      const { sort = 'last_activity' } = query;
      const filter = filterOf(request, query);
      const list = {
        name: 'conversations',
        tenantId,
        filter: { ...identity(query), assignee: filter.assigneeId ?? '' },
      };
      const window = listWindow(query, list, cursorKey);
      const page = await listConversations(db, tenantId, { filter, sort, window });
      const presented = await presentConversations(db, tenantId, page.items, rt.clock.now());
      const shown = new Map(page.items.map((one, index) => [one, presented[index] ?? {}]));
      return answerPage(request, reply, {
        page,
        window,
        list,
        cursorKey,
        idOf: (one) => positionOf(one, sort),
        present: (one) => shown.get(one) ?? {},
      });
    };
  },
});

/** What a cursor is bound to: everything of the query but the place in the list. */
function identity({ limit: _limit, offset: _offset, cursor: _cursor, ...rest }: Asked): Record<string, string> {
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]));
}

function filterOf(request: FastifyRequest, query: Asked): ConversationFilter {
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
