import Type, { type TSchema } from 'typebox';
import type { EventType } from '#events/domain/event';
import type { EventDescription } from '#http/schemas/events/description';
import { named, nullableObject, time, uuid } from '#http/schemas/fields';
import { BulkChangeEventData, bulkChangeEventExample } from './bulk-change.ts';
import {
  assigneeExampleId,
  ConversationState,
  changesField,
  conversationData,
  NoteView,
  noteExample,
} from './conversation.ts';

const ConversationEventData = Type.Intersect(
  [ConversationState, Type.Object(changesField)],
  named('ConversationEventData', 'The conversation after the change, what changed, who changed it and why.'),
);

const Timing = nullableObject(
  named(
    'ConversationTiming',
    'How long the customer waited or the conversation was open. Null if the customer did not wait.',
  ),
  {
    since: time('When the customer started to wait, or the conversation was opened or reopened.'),
    elapsed_ms: Type.Integer({ description: 'Milliseconds since then.' }),
    business_ms: Type.Integer({
      description:
        "Milliseconds of that within business hours: of the team, otherwise the number, otherwise the tenant's default.",
    }),
  },
);

const ResolvedEventData = Type.Intersect([ConversationEventData, Type.Object({ timing: Timing })]);

const RepliedEventData = Type.Intersect([
  ConversationEventData,
  Type.Object({
    reply: Type.Object(
      {
        message_id: uuid('ID of the message; see message.queued and later events for details.'),
        is_first: Type.Boolean({ description: 'Whether this is the first reply by a person in the conversation.' }),
      },
      { description: 'The reply.' },
    ),
    timing: Timing,
  }),
]);

const agent = { kind: 'agent', id: assigneeExampleId };
const system = { kind: 'system', id: null };

function described(changes: object, fields: object = {}, actor: object = agent, cause = 'api'): EventDescription {
  return { data: ConversationEventData, example: { ...conversationData, ...fields, changes, actor, cause } };
}

/** An event that tells more than the change. */
function extended({ example }: EventDescription, data: TSchema, more: object): EventDescription {
  return { data, example: { ...(example as object), ...more } };
}

export const conversationEvents: Partial<Record<EventType, EventDescription>> = {
  'conversation.opened': described({}, {}, system, 'inbound'),
  'conversation.updated': described({ priority: ['normal', 'high'] }, { priority: 'high' }),
  'conversation.assigned': described({ assignee_id: [null, agent.id] }, { assignee_id: agent.id }),
  'conversation.snoozed': described({ status: ['open', 'snoozed'] }, { status: 'snoozed' }),
  'conversation.replied': extended(
    described(
      { unread_count: [2, 0] },
      { unread_count: 0, waiting_since: null, first_response_at: '2030-01-01T09:05:00.000Z' },
      agent,
      'reply',
    ),
    RepliedEventData,
    {
      reply: { message_id: '0190a6f3-2222-7222-8333-444455556666', is_first: true },
      timing: { since: '2030-01-01T09:00:00.000Z', elapsed_ms: 300_000, business_ms: 300_000 },
    },
  ),
  'conversation.resolved': extended(
    described(
      { status: ['open', 'resolved'] },
      { status: 'resolved', resolved_at: '2030-01-01T10:00:00.000Z', waiting_since: null },
    ),
    ResolvedEventData,
    { timing: { since: '2030-01-01T09:00:01.000Z', elapsed_ms: 3_599_000, business_ms: 3_599_000 } },
  ),
  'conversation.reopened': described({ status: ['resolved', 'open'] }, { reopened_count: 1 }),
  'conversation.window_closing': described({}, {}, system, 'window_closing'),
  'bulk_change.finished': { data: BulkChangeEventData, example: bulkChangeEventExample },
  'note.created': { data: NoteView, example: noteExample },
};
