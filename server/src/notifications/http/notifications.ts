import type { JsonObject } from '#core/json';
import { answerList } from '#http/lists/answer-list';
import { defineOperation, type Operation } from '#http/operation';
import { assertAgent, requiredAgentHeader } from '#http/plugins/agent';
import { principalOf } from '#http/plugins/auth';
import { faultExample } from '#http/schemas/errors';
import { problemOf } from '#http/validation/faults';
import { formatRfc3339, parseRfc3339 } from '#http/validation/rfc3339';
import {
  countUnread,
  listNotificationsPage,
  markNotificationsRead,
  type ShownNotification,
} from '#notifications/store/notifications';
import {
  NotificationList,
  NotificationQuery,
  notificationListExample,
  ReadNotifications,
  Unread,
} from './schemas/notification.ts';

const NEITHER = 'The body must have either ids or before.';

const listNotificationsRoute = defineOperation({
  method: 'GET',
  path: '/v1/notifications',
  operationId: 'listNotifications',
  summary: 'List notifications',
  description:
    'Returns what the acting agent was notified of, newest first, and how many are unread. Agents are notified when somebody else assigns a conversation to them or mentions them in a note, when the window of a conversation of theirs is about to close before they have answered, and when a message that they wrote fails. They choose the kinds in their preferences. Notifications are kept for 30 days.',
  tag: 'Agents',
  scope: 'conversations:read',
  requestHeaders: [requiredAgentHeader],
  query: NotificationQuery,
  answer: {
    status: 200,
    description: 'A page of notifications.',
    schema: NotificationList,
    example: notificationListExample,
    headers: ['Link'],
  },
  handle: ({ db, cursorKey }) => {
    return async (request, reply) => {
      const agentId = assertAgent(request);
      const { unread } = request.query;
      const list = await answerList(request, reply, {
        cursorKey,
        name: 'notifications',
        filter: { agentId, unread },
        read: (tenantId, window) => listNotificationsPage(db, tenantId, { agentId, unread: unread ?? null }, window),
        idOf: ({ notificationId }) => notificationId,
        present: presentNotification,
      });
      return { ...list, unread: await countUnread(db, principalOf(request).tenantId, agentId) };
    };
  },
});

const readNotificationsRoute = defineOperation({
  method: 'POST',
  path: '/v1/notifications/read',
  operationId: 'readNotifications',
  summary: 'Mark notifications as read',
  description:
    'Marks notifications of the acting agent as read: those with the given IDs, or all that were created until a moment. IDs of others have no effect.',
  tag: 'Agents',
  scope: 'conversations:write',
  requestHeaders: [requiredAgentHeader],
  body: ReadNotifications,
  bodyExamples: {
    ids: { summary: 'One notification', value: { ids: ['0190a6fc-1111-7222-8333-444455556666'] } },
    before: { summary: 'Everything that was seen', value: { before: '2030-01-01T09:05:00.000Z' } },
  },
  answer: { status: 200, description: 'What is still unread.', schema: Unread, example: { unread: 0 } },
  errorExamples: [faultExample('neitherNotification', 'validation_failed', { path: 'body', message: NEITHER })],
  handle: ({ rt, db }) => {
    return async (request) => {
      const agentId = assertAgent(request);
      const { tenantId } = principalOf(request);
      const { ids, before } = request.body;
      if ((ids === undefined) === (before === undefined)) throw problemOf([{ path: 'body', message: NEITHER }]);
      const input = {
        ids: ids?.map((id) => id.toLowerCase()) ?? null,
        untilMs: before === undefined ? null : parseRfc3339(before),
      };
      await markNotificationsRead(db, { tenantId, agentId, nowMs: rt.clock.now() }, input);
      return { unread: await countUnread(db, tenantId, agentId) };
    };
  },
});

/** In the order of the documentation. */
export const notificationOperations: readonly Operation[] = [listNotificationsRoute, readNotificationsRoute];

function presentNotification(one: ShownNotification): JsonObject {
  const isKnown = one.contactName !== null || one.contactPhone !== null;
  return {
    id: one.notificationId,
    kind: one.kind,
    conversation_id: one.conversationId,
    contact: isKnown ? { name: one.contactName, phone: one.contactPhone } : null,
    message_id: one.messageId,
    note_id: one.noteId,
    actor: one.actor && { kind: one.actor.kind, id: one.actor.id },
    created_at: formatRfc3339(one.createdMs),
    read_at: one.readMs === null ? null : formatRfc3339(one.readMs),
  };
}
