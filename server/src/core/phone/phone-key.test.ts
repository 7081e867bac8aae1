import fc from 'fast-check';
import { expect, test } from 'vitest';
import { phoneKey, phoneSpellings } from './phone-key.ts';

test.each([
  ['5511987654321', '551187654321'],
  ['525512345678', '5215512345678'],
  ['541112345678', '5491112345678'],
])('%s and %s have one key', (one, other) => {
  expect(phoneKey(one)).toBe(phoneKey(other));
  expect(phoneSpellings(other).toSorted()).toEqual([one, other].toSorted());
});

test.each(['551132345678', '447700900123', '5215512', '15550100001'])('%s is its own key', (phone) => {
  expect([phoneKey(phone), phoneSpellings(phone)]).toEqual([phone, [phone]]);
});

test('a key is the key of itself, and each spelling of a number has its key', () => {
  const prefix = fc.constantFrom('55', '5511', '521', '52', '549', '54', '44', '1');
  const digits = fc.stringMatching(/^[0-9]{6,11}$/);
  fc.assert(
    fc.property(prefix, digits, (country, rest) => {
      const phone = country + rest;
      const key = phoneKey(phone);
      expect(phoneKey(key)).toBe(key);
      for (const spelling of phoneSpellings(phone)) expect(phoneKey(spelling)).toBe(key);
      expect(phoneSpellings(phone)).toContain(phone);
    }),
  );
});
