import { expect, test } from 'vitest';
import { seededRng } from './rng.ts';

const take = (seed: number, count: number): readonly number[] => Array.from({ length: count }, seededRng(seed));

test('the same seed gives the same sequence, another seed another one', () => {
  expect(take(7, 100)).toEqual(take(7, 100));
  expect(take(7, 100)).not.toEqual(take(8, 100));
});

test('numbers lie in [0, 1) and are spread evenly', () => {
  const numbers = take(42, 100_000);
  expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
  const below = numbers.filter((number) => number < 0.1).length;
  expect(Math.abs(below - 10_000)).toBeLessThan(400);
});
