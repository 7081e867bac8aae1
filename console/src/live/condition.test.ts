import { expect, test } from 'vitest';
import { matches } from './condition.ts';
import type { Conversation } from './model.ts';

const NOW = Date.parse('2030-01-01T12:00:00Z');
const one = {
  status: 'open',
  assignee_id: 'ada',
  team_id: null,
  tags: ['Refund'],
  priority: 'high',
  unread_count: 2,
  waiting_since: '2030-01-01T11:30:00.000Z',
  window: { state: 'open', expires_at: '2030-01-01T13:00:00.000Z', free_until: null, allowed: [] },
  last_message: { id: 'm', direction: 'inbound', type: 'text', preview: 'Hi', at: '2030-01-01T11:30:00.000Z' },
} as unknown as Conversation;
const ask = (when: object) => matches(when, one, { meId: 'ada', nowMs: NOW });
const of = (field: string, match: string, value?: unknown) => ({ field: `conversation.${field}`, match, value });
const CONTACT = { field: 'contact.tags', match: 'has', value: 'VIP' };
const [TRUE, FALSE] = [of('status', 'is', 'open'), of('status', 'is', 'resolved')];

test.each([
  [of('status', 'is_not', 'open'), false],
  [of('priority', 'in', ['high', 'urgent']), true],
  [of('assignee_id', 'is', 'me'), true],
  [of('assignee_id', 'missing'), false],
  [of('team_id', 'is', 'x'), false],
  [of('team_id', 'not_in', ['x']), true],
  [of('tags', 'has', 'Refund'), true],
  [of('tags', 'has', 'refund'), false],
  [of('tags', 'has_not', 'x'), true],
  [of('unread_count', 'gt', 1), true],
  [of('unread_count', 'between', [3, 4]), false],
  [of('waiting_since', 'lt', '-15m'), true],
  [of('waiting_since', 'lt', '-1h'), false],
  [of('window', 'is', 'open'), true],
  [of('window_expires_at', 'lt', '+2h'), true],
  [of('window_expires_at', 'gte', '2030-01-01T13:00:01Z'), false],
  [of('last_message_by', 'is', 'customer'), true],
])('%j', (when, verdict) => {
  expect(ask(when)).toBe(verdict);
  expect(ask({ not: when })).toBe(!verdict);
});

test('what depends on the contact is left to the service, unless the rest decides', () => {
  expect(ask(CONTACT)).toBe(null);
  expect(ask({ not: CONTACT })).toBe(null);
  expect(ask({ all: [CONTACT, TRUE] })).toBe(null);
  expect(ask({ all: [CONTACT, FALSE] })).toBe(false);
  expect(ask({ any: [CONTACT, FALSE] })).toBe(null);
  expect(ask({ any: [CONTACT, TRUE] })).toBe(true);
});
