import { expect, test } from 'vitest';
import { parseDurationS, parseWhole, splitList } from './options.ts';

test.each([
  ['45', 45],
  ['45s', 45],
  ['30m', 1_800],
  ['12h', 43_200],
  ['90d', 7_776_000],
])('%s is a time', (text, seconds) => expect(parseDurationS(text)).toBe(seconds));

test.each(['', 's', '-1h', '1.5h', '1w', '1 h 2 m', 'constructor'])('"%s" is no time', (text) => {
  expect(() => parseDurationS(text)).toThrow('Write a time');
});

test.each(['-1', '1.5', 'x', '', '0x10'])('"%s" is no whole number', (text) =>
  expect(() => parseWhole(text)).toThrow('whole number'));

test('a list loses blanks and empty names', () => expect(splitList(' a, b,,c ,')).toEqual(['a', 'b', 'c']));
