import { expect, test } from 'vitest';
import { waitPreference } from './prefer.ts';

test.each([
  ['wait=5', 5],
  ['WAIT = "7"', 7],
  ['respond-async, wait=10;x=y', 10],
  ['wait=31', 30],
  ['wait=0', null],
  ['wait=soon', null],
  ['wait', null],
  ['return=minimal', null],
  ['wait=-1', null],
  [undefined, null],
])('Prefer: %s is a wait of %s', (prefer, expected) => {
  expect(waitPreference({ headers: prefer === undefined ? {} : { prefer } })).toBe(expected);
});
