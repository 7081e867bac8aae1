import Type from 'typebox';
import { actorKinds } from '#core/caller/actor';
import type { JsonObject } from '#core/json';
import {
  choiceOf,
  named,
  nullableObject,
  nullableText,
  nullableTime,
  nullableUuid,
  optional,
  strictObject,
  time,
  uuid,
  withExample,
} from '#http/schemas/fields';
import { PageInfo, pageQuery } from '#http/schemas/lists';
import { notificationKinds } from '#users/domain/notification-preferences';

/** As many as a page shows. */
const MAX_IDS = 100;
const conversationExampleId = '0190a6f2-8c20-7a11-8f00-0a1b2c3d4e5f';

const NotificationView = Type.Object(
  {
    id: uuid('ID of the notification.'),
    kind: choiceOf(notificationKinds, named('NotificationKind', 'Why the agent is notified.')),
    conversation_id: nullableUuid('Conversation that it is about. Null: the message belongs to none.'),
    contact: nullableObject('The customer. Null: not known any more.', {
      name: nullableText('Name.'),
      phone: nullableText('Phone number.'),
    }),
    message_id: nullableUuid('Message that failed or arrived. Null: it is about no message.'),
    note_id: nullableUuid('Note that mentions the agent. Null: it is about no note.'),
    actor: nullableObject('Who did it. Null: nobody in particular.', {
      kind: choiceOf(actorKinds, 'What they are.'),
      id: nullableUuid('ID of the agent, the key or the rule.'),
    }),
    created_at: time(named('CreatedAt', 'When it was created.')),
    read_at: nullableTime('When it was read. Null: it is unread.'),
  },
  named('Notification', 'Something that an agent should know.'),
);

const unread = Type.Integer({ minimum: 0, description: 'Unread notifications of the agent, counted up to 1000.' });

export const NotificationList = Type.Object(
  { data: Type.Array(NotificationView, { description: 'Newest first.' }), page: PageInfo, unread },
  named('NotificationList', 'A page of notifications, newest first.'),
);

export const NotificationQuery = Type.Object(
  {
    ...optional({
      unread: withExample(Type.Boolean({ description: 'true: only unread ones; false: only read ones.' }), true),
    }),
    ...pageQuery,
  },
  { additionalProperties: false },
);

export const ReadNotifications = strictObject('Which notifications were read: either ids or before.', {
  ...optional({
    ids: Type.Array(uuid('A notification.'), { minItems: 1, maxItems: MAX_IDS, description: 'These.' }),
    before: time('All that were created until this time: created_at of the newest one that was seen.'),
  }),
});

export const Unread = Type.Object({ unread }, named('UnreadNotifications', 'What is still unread.'));

export const notificationExample: JsonObject = {
  id: '0190a6fc-1111-7222-8333-444455556666',
  kind: 'mentioned',
  conversation_id: conversationExampleId,
  contact: { name: 'Ada Obi', phone: '447700900123' },
  message_id: null,
  note_id: '0190a6f6-1111-7222-8333-444455556666',
  actor: { kind: 'agent', id: '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e60' },
  created_at: '2030-01-01T09:05:00.000Z',
  read_at: null,
};

export const notificationListExample: JsonObject = {
  data: [notificationExample],
  page: { limit: 50, offset: 0, has_more: false, next_cursor: null },
  unread: 1,
};
