import { expect, test } from 'vitest';
import { isSteady, type Progress, unfinished, unsent, wholeWayRate } from './progress.ts';

function sample(atMs: number, accepted: number, sent: number, statuses: number): Progress {
  return { atMs, accepted, sent, statuses };
}

test('the slowest stage decides the rate of the whole way', () => {
  expect(wholeWayRate(sample(0, 0, 0, 0), sample(2_000, 100, 80, 150))).toBe(25);
  expect(wholeWayRate(sample(0, 0, 0, 0), sample(2_000, 100, 20, 300))).toBe(10);
});

test('no time, no rate', () => {
  expect(wholeWayRate(sample(5, 0, 0, 0), sample(5, 9, 9, 27))).toBe(0);
});

test('a queue that stays level is steady', () => {
  const level = Array.from({ length: 30 }, (_, i) => sample(i * 500, 2_500 * i + 400, 2_500 * i, 7_500 * i));
  expect(isSteady(level, 5_000, unsent)).toBe(true);
  expect(isSteady(level, 5_000, unfinished)).toBe(true);
});

test('a queue that grows by a fifth of what comes in is not steady', () => {
  const growing = Array.from({ length: 60 }, (_, i) => sample(i * 500, 2_500 * i, 2_000 * i, 6_000 * i));
  expect(isSteady(growing, 5_000, unsent)).toBe(false);
});

test('too few samples prove nothing', () => {
  expect(isSteady([sample(0, 0, 0, 0), sample(500, 1, 1, 3)], 1, unsent)).toBe(false);
});
