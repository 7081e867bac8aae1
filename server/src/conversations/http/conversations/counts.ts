import Type from 'typebox';
import { type ConversationStatus, conversationStatuses } from '#conversations/domain/conversation';
import { type CountRow, readCounts } from '#conversations/store/conversation-counts';
import type { JsonObject } from '#core/json';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { NoQuery } from '#http/schemas/parameters';

const amount = (description: string) => Type.Integer({ description });
const amounts = (description: string) =>
  Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: { type: 'integer' }, description });

const Counts = Type.Object(
  {
    total: amount('All of them.'),
    by_status: amounts('By status.'),
    active: Type.Object(
      {
        total: amount('All that are not resolved.'),
        waiting: amount('Whose customer waits for an answer.'),
        unassigned: amount('Whom no agent has.'),
        by_assignee: amounts('By agent.'),
        by_team: amounts('By team.'),
      },
      { description: 'The conversations that are not resolved.' },
    ),
  },
  { description: 'The number of conversations of each kind.' },
);

export const countConversationsRoute = defineOperation({
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
        by_assignee: { '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e5f': 17 },
        by_team: {},
      },
    },
  },
  errors: [],
  handle: ({ db }) => {
    return async (request) => presentCounts(await readCounts(db, principalOf(request).tenantId));
  },
});

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
