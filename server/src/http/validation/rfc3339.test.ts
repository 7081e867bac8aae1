import { expect, test } from 'vitest';
import { formatRfc3339, parseRfc3339 } from './rfc3339.ts';

test.each([
  ['2030-01-31T09:00:00Z', Date.UTC(2030, 0, 31, 9)],
  ['2030-01-31t09:00:00z', Date.UTC(2030, 0, 31, 9)],
  ['2030-01-31T09:00:00.5+01:30', Date.UTC(2030, 0, 31, 7, 30, 0, 500)],
  ['2030-01-31T09:00:00.123456789Z', Date.UTC(2030, 0, 31, 9, 0, 0, 123)],
  ['2028-02-29T23:59:59-12:00', Date.UTC(2028, 2, 1, 11, 59, 59)],
])('%s is a time', (text, ms) => {
  expect(parseRfc3339(text)).toBe(ms);
});

test.each([
  '2030-01-31T09:00:00',
  '2030-01-31',
  '2030-02-29T09:00:00Z',
  '2030-13-01T09:00:00Z',
  '2030-00-01T09:00:00Z',
  '2030-01-31T24:00:00Z',
  '2030-01-31T09:60:00Z',
  '2030-01-31T09:00:60Z',
  '2030-01-31T09:00:00+24:00',
  '2030-01-31 09:00:00Z',
  '1893456000',
  '',
])('%s is none', (text) => {
  expect(parseRfc3339(text)).toBeNull();
});

test('what is formatted reads back', () => {
  const ms = Date.UTC(2030, 0, 31, 9, 1, 2, 3);
  expect(formatRfc3339(ms)).toBe('2030-01-31T09:01:02.003Z');
  expect(parseRfc3339(formatRfc3339(ms))).toBe(ms);
});
