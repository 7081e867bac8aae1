import Type from 'typebox';
import type { EventType } from '#core/event';
import { changedFields, conversationData, conversationFields, NoteView, noteExample } from '../conversation.ts';
import type { EventDescription } from './description.ts';

const ConversationEventData = Type.Object(
  { ...conversationFields, ...changedFields },
  { description: 'The conversation as it was after the change, what differs, who did it and why.' },
);

const agent = { kind: 'agent', id: '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e5f' };

function described(changes: object, fields: object = {}, actor: object = agent, cause = 'api'): EventDescription {
  return { data: ConversationEventData, example: { ...conversationData, ...fields, changes, actor, cause } };
}

export const conversationEvents: Partial<Record<EventType, EventDescription>> = {
  'conversation.opened': described({}, {}, { kind: 'system', id: null }, 'inbound'),
  'conversation.updated': described({ priority: ['normal', 'high'] }, { priority: 'high' }),
  'conversation.assigned': described({ assignee_id: [null, agent.id] }, { assignee_id: agent.id }),
  'conversation.snoozed': described({ status: ['open', 'snoozed'] }, { status: 'snoozed' }),
  'conversation.resolved': described(
    { status: ['open', 'resolved'] },
    { status: 'resolved', resolved_at: '2030-01-01T10:00:00.000Z', waiting_since: null },
  ),
  'conversation.reopened': described({ status: ['resolved', 'open'] }, { reopened_count: 1 }),
  'conversation.window_closing': described({}, {}, { kind: 'system', id: null }, 'window_closing'),
  'note.created': { data: NoteView, example: noteExample },
};
