import { expect, test } from 'vitest';
import { type ListIdentity, makeCursor, readCursor } from './cursor.ts';

const id = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f01';
const list: ListIdentity = { name: 'outbound', tenantId: 't1', filter: { to: '1', status: undefined } };

test('a cursor leads back to its id, whatever the order of the filters', () => {
  const cursor = makeCursor('key', { ...list, filter: { to: '1', status: 'sent' } }, id);
  expect(readCursor('key', { ...list, filter: { status: 'sent', to: '1' } }, cursor)).toBe(id);
});

test('an absent filter and an undefined one are the same list', () => {
  expect(readCursor('key', { ...list, filter: { to: '1' } }, makeCursor('key', list, id))).toBe(id);
});

test.each([
  ['another key', 'other', list],
  ['another list', 'key', { ...list, name: 'inbound' }],
  ['another tenant', 'key', { ...list, tenantId: 't2' }],
  ['another filter', 'key', { ...list, filter: { to: '2' } }],
])('a cursor is refused with %s', (_label, key, identity) => {
  expect(() => readCursor(key, identity, makeCursor('key', list, id))).toThrow('cursor was not given out');
});

test('no single changed character passes', () => {
  const cursor = makeCursor('key', list, id);
  const changed = [...cursor].map(
    (letter, at) => cursor.slice(0, at) + (letter === 'a' ? 'b' : 'a') + cursor.slice(at + 1),
  );
  const passing = changed.filter((text) => {
    try {
      return readCursor('key', list, text) !== id;
    } catch {
      return false;
    }
  });
  expect(passing).toEqual([]);
});
