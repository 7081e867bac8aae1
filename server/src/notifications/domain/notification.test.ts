import { describe, expect, test } from 'vitest';
import type { EventType } from '#events/domain/event';
import { noticesOf } from './notification.ts';

const noticed = (type: EventType, data: object) =>
  noticesOf({ id: 'e', sequence: 7, recordedMs: 5, type, data: data as never }).map(({ kind, agentId }) => [
    kind,
    agentId,
  ]);

describe('an event notifies', () => {
  test.each([
    [
      'whom it assigns',
      'conversation.assigned',
      { id: 'c', changes: { assignee_id: [null, 'ada'] }, actor: { kind: 'rule', id: 'r' } },
      [['assigned', 'ada']],
    ],
    [
      'nobody who took it',
      'conversation.assigned',
      { id: 'c', changes: { assignee_id: [null, 'ada'] }, actor: { kind: 'agent', id: 'ada' } },
      [],
    ],
    [
      'nobody when only the team changed',
      'conversation.assigned',
      { id: 'c', changes: { team_id: [null, 't'] }, actor: { kind: 'key', id: 'k' } },
      [],
    ],
    [
      'nobody when it is unassigned',
      'conversation.assigned',
      { id: 'c', changes: { assignee_id: ['ada', null] }, actor: { kind: 'key', id: 'k' } },
      [],
    ],
    [
      'who owes an answer when the window closes',
      'conversation.window_closing',
      { id: 'c', assignee_id: 'ada', waiting_since: '2030' },
      [['window_closing', 'ada']],
    ],
    [
      'nobody when the customer was answered',
      'conversation.window_closing',
      { id: 'c', assignee_id: 'ada', waiting_since: null },
      [],
    ],
    [
      'nobody when nobody has the conversation',
      'conversation.window_closing',
      { id: 'c', assignee_id: null, waiting_since: '2030' },
      [],
    ],
    [
      'nobody when a program or campaign wrote what failed',
      'message.failed',
      { id: 'm', author: { kind: 'campaign', id: 'x' } },
      [],
    ],
    ['nobody when no author is known', 'message.failed', { id: 'm', author: null }, []],
    [
      'whoever has the conversation of a new message',
      'message.received',
      { id: 'm', conversation_id: 'c' },
      [['new_message', null]],
    ],
    ['nobody of anything else', 'contact.created', { id: 'x' }, []],
  ] as const)('%s', (_name, type, data, expected) => {
    expect(noticed(type, data)).toEqual(expected);
  });
});
