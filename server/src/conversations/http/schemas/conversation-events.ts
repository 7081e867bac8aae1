import Type from 'typebox';
import type { EventType } from '#events/domain/event';
import type { EventDescription } from '#http/schemas/events/description';
import { named, time, uuid } from '#http/schemas/fields';
import { changesField, conversationData, conversationFields, NoteView, noteExample } from './conversation.ts';

const ConversationEventData = Type.Object(
  { ...conversationFields, ...changesField },
  named('ConversationEventData', 'The conversation as it was after the change, what differs, who did it and why.'),
);

const Timing = Type.Unsafe({
  type: ['object', 'null'],
  properties: {
    since: time(
      'Where it begins: when the customer began to wait, or when the conversation was opened or opened again.',
    ),
    elapsed_ms: Type.Integer({ description: 'Milliseconds since then.' }),
    business_ms: Type.Integer({
      description:
        'Of them, those in business hours: of the team, else the number, else the default ones of the tenant.',
    }),
  },
  required: ['since', 'elapsed_ms', 'business_ms'],
  ...named(
    'ConversationTiming',
    'How long the customer waited, or the conversation was open; null: the customer did not wait.',
  ),
});

const ResolvedEventData = Type.Intersect([ConversationEventData, Type.Object({ timing: Timing })]);

const RepliedEventData = Type.Intersect([
  ConversationEventData,
  Type.Object({
    reply: Type.Object(
      {
        message_id: uuid('The message; message.queued and what follows tell more of it.'),
        is_first: Type.Boolean({ description: 'Whether no person had answered in this conversation before.' }),
      },
      { description: 'The answer.' },
    ),
    timing: Timing,
  }),
]);

const agent = { kind: 'agent', id: '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e5f' };

function described(changes: object, fields: object = {}, actor: object = agent, cause = 'api'): EventDescription {
  return { data: ConversationEventData, example: { ...conversationData, ...fields, changes, actor, cause } };
}

export const conversationEvents: Partial<Record<EventType, EventDescription>> = {
  'conversation.opened': described({}, {}, { kind: 'system', id: null }, 'inbound'),
  'conversation.updated': described({ priority: ['normal', 'high'] }, { priority: 'high' }),
  'conversation.assigned': described({ assignee_id: [null, agent.id] }, { assignee_id: agent.id }),
  'conversation.snoozed': described({ status: ['open', 'snoozed'] }, { status: 'snoozed' }),
  'conversation.replied': {
    data: RepliedEventData,
    example: {
      ...conversationData,
      waiting_since: null,
      first_response_at: '2030-01-01T09:05:00.000Z',
      changes: {},
      actor: agent,
      cause: 'reply',
      reply: { message_id: '0190a6f3-2222-7222-8333-444455556666', is_first: true },
      timing: { since: '2030-01-01T09:00:00.000Z', elapsed_ms: 300_000, business_ms: 300_000 },
    },
  },
  'conversation.resolved': {
    data: ResolvedEventData,
    example: {
      ...conversationData,
      status: 'resolved',
      resolved_at: '2030-01-01T10:00:00.000Z',
      waiting_since: null,
      changes: { status: ['open', 'resolved'] },
      actor: agent,
      cause: 'api',
      timing: { since: '2030-01-01T09:00:01.000Z', elapsed_ms: 3_599_000, business_ms: 3_599_000 },
    },
  },
  'conversation.reopened': described({ status: ['resolved', 'open'] }, { reopened_count: 1 }),
  'conversation.window_closing': described({}, {}, { kind: 'system', id: null }, 'window_closing'),
  'note.created': { data: NoteView, example: noteExample },
};
