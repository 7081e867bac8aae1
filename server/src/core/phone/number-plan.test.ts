import { expect, test } from 'vitest';
import { isInNumberPlan } from './number-plan.ts';

test.each([
  ['447400123456', true],
  ['12025550123', true],
  ['4915112345678', true],
  ['44740012345', false],
  ['99900000001', false],
  ['1555', false],
])('%s is in the plan of its country: %s', (phone, expected) => {
  expect(isInNumberPlan(phone)).toBe(expected);
});
