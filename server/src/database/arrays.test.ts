import { expect, test } from 'vitest';
import { plainArray, tokenArray } from './arrays.ts';

test('a column of tokens is written as a literal, as it is', () => {
  expect(tokenArray(['4915112345678', 'wamid.HBgL+/A=', '1_2-3:4'])).toBe('{4915112345678,wamid.HBgL+/A=,1_2-3:4}');
  expect(plainArray([1, null, true])).toBe('{1,null,true}');
});

test.for([
  '',
  'a,b',
  'a b',
  '{a}',
  'a"b',
  'a\\b',
  'null',
  'NULL',
  'é',
  'a\nb',
])('a text that would mean something in a literal leaves the column to the driver: %j', (value) => {
  expect(tokenArray(['1', value])).toEqual(['1', value]);
});
