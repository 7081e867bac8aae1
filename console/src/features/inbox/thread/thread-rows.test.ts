import { expect, test } from 'vitest';
import type { InboundItem, NoteItem, OutboundItem, ThreadItem } from '../../../live/model.ts';
import { rowsOf, sideOf } from './thread-rows.ts';

const at = (minute: number): string => `2030-01-01T12:${String(minute).padStart(2, '0')}:00.000Z`;

function inbound(id: string, minute: number, more: Partial<InboundItem> = {}): InboundItem {
  const times = { network_timestamp: at(minute), received_at: at(minute), created_at: at(minute) };
  const from = { from: '1', profile_name: null, conversation_id: 'c', reply_to: null };
  return { id, direction: 'inbound', type: 'text', body: id, media: null, ...from, ...times, ...more };
}

function outbound(id: string, minute: number): OutboundItem {
  const about = { client_ref: null, reply_to: null, conversation_id: 'c', created_at: at(minute) };
  return { id, direction: 'outbound', status: 'sent', type: 'text', body: id, delivery: { state: 'sent' }, ...about };
}

const view = (...items: ThreadItem[]) => ({ items, pending: [], hasOlder: false, isLoaded: true });
const shown = (rows: ReturnType<typeof rowsOf>) => rows.map((row) => (row.kind === 'item' ? row.item.id : row.kind));

test('a day has one heading, by the time at which the customer wrote', () => {
  const late = inbound('m2', 3, { network_timestamp: '2029-12-30T12:00:00.000Z' });
  expect(shown(rowsOf(view(inbound('m1', 1), late, outbound('m3', 4))))).toEqual([
    ...['day', 'm1', 'day', 'm2', 'day', 'm3'],
  ]);
});

test('a reaction stands at the message that it is about, and the newest of each side counts', () => {
  const react = (id: string, emoji: string) => inbound(id, 5, { type: 'reaction', body: emoji, reply_to: 'm1' });
  const rows = rowsOf(view(outbound('m1', 1), react('m2', '👍'), react('m3', '❤️')));
  expect(shown(rows)).toEqual(['day', 'm1']);
  expect(rows[1]).toMatchObject({ reactions: ['❤️'] });
  expect(rowsOf(view(outbound('m1', 1), react('m2', '👍'), react('m3', '')))[1]).toMatchObject({ reactions: [] });
});

test('a reaction to what is not held is a row of its own', () => {
  expect(shown(rowsOf(view(inbound('m2', 5, { type: 'reaction', body: '👍', reply_to: 'm0' }))))).toEqual([
    'day',
    'm2',
  ]);
});

test('messages of one side that come close together belong together', () => {
  const rows = rowsOf(view(inbound('m1', 1), inbound('m2', 2), outbound('m3', 2), inbound('m4', 3), inbound('m5', 20)));
  expect(rows.flatMap((row) => (row.kind === 'item' ? [row.isFirst] : []))).toEqual([true, false, true, true, true]);
});

test('changes stand where they happened, and those of older messages wait for them', () => {
  const note: NoteItem = {
    ...{ id: 'm3', conversation_id: 'c', type: 'note', body: 'n', mentions: [], created_at: at(5) },
    author: { kind: 'agent', id: 'a' },
  };
  const change = (key: string, minute: number) => ({ key, at: at(minute), text: key });
  const changes = [change('old', 0), change('first', 2), change('last', 9)];
  const held = view(inbound('m1', 1), note);
  expect(shown(rowsOf(held, changes))).toEqual(['change', 'day', 'm1', 'change', 'm3', 'change']);
  expect(shown(rowsOf({ ...held, hasOlder: true }, changes))).toEqual(['day', 'm1', 'change', 'm3', 'change']);
});

test('a call is shown on the side of the person who made it', () => {
  const call = (direction: 'user_initiated' | 'business_initiated') =>
    inbound('m2', 2, { type: 'call', body: null, call: { direction, state: 'missed', duration_seconds: null } });
  expect([sideOf(call('user_initiated')), sideOf(call('business_initiated'))]).toEqual(['theirs', 'ours']);
});
