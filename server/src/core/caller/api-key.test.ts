import { expect, test } from 'vitest';
import { keyHint, makeApiKey, mayBeApiKey, modeOf } from './api-key.ts';

const bytes = () => Buffer.from('0123456789abcdef0123456789abcdef');

test.each([
  'live',
  'test',
] as const)('a %s key is recognised by its text, and not when a character is changed', (mode) => {
  const key = makeApiKey(mode, bytes);
  expect([modeOf(key), mayBeApiKey(key), mayBeApiKey(`${key.slice(0, -1)}~`)]).toEqual([mode, true, false]);
});

test.each([
  ['a live key', makeApiKey('live', bytes), 'pr_live_'],
  ['a test key', makeApiKey('test', bytes), 'pr_test_'],
  ['a key of the operator', 'key-of-the-first-tenant', ''],
])('the hint of %s shows 4 characters of its secret part', (_label, key, prefix) => {
  expect(keyHint(key)).toBe(`${key.slice(0, prefix.length + 4)}…`);
});
