import { expect, test } from 'vitest';
import { callText } from './call-text.ts';

test.each([
  ['user_initiated', 'missed', null, 'Missed voice call'],
  ['user_initiated', 'answered', null, 'Voice call'],
  ['user_initiated', 'answered', 133, 'Voice call, 2 min 13 s'],
  ['user_initiated', 'answered', 7_500, 'Voice call, 2 h 5 min'],
  ['business_initiated', 'answered', 9, 'Voice call to the customer, 9 s'],
  ['business_initiated', 'rejected', null, 'Voice call to the customer, declined'],
] as const)('a call that is %s and %s, of %s s, is called what it is', (direction, state, duration_seconds, text) => {
  expect(callText({ direction, state, duration_seconds })).toBe(text);
});
