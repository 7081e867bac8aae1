import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_JSON_DEPTH, toSafeJson, toSafeText } from './json.ts';

test.each([
  ['plain', 'plain'],
  ['a\0b', 'ab'],
  ['\uD83D\uDE00', '\uD83D\uDE00'],
  ['x\uD83D', 'x\uFFFD'],
  ['\uDE00x\0', '\uFFFDx'],
  ['', ''],
])('text %j is stored as %j', (given, stored) => {
  expect(toSafeText(given)).toBe(stored);
});

test('any JSON value without unstorable characters comes back unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      expect(JSON.stringify(toSafeJson(plain))).toBe(JSON.stringify(plain));
    }),
  );
});

test('keys are made safe too, and a key named __proto__ stays an ordinary key', () => {
  const value = toSafeJson(JSON.parse('{"a\\u0000":1,"__proto__":{"x":"\\ud800"}}'));
  expect(JSON.stringify(value)).toBe('{"a":1,"__proto__":{"x":"\uFFFD"}}');
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

test('a value nested a million deep is cut instead of overflowing the stack', () => {
  const text = JSON.stringify(toSafeJson(JSON.parse('['.repeat(1e6) + ']'.repeat(1e6))));
  expect(text).toBe(`${'['.repeat(MAX_JSON_DEPTH)}"(nested too deeply)"${']'.repeat(MAX_JSON_DEPTH)}`);
});

test('what JSON cannot carry becomes null', () => {
  expect(toSafeJson([JSON.parse('1e400'), undefined, () => 1, Number.NaN])).toEqual([null, null, null, null]);
});
