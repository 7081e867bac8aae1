import { expect, test } from 'vitest';
import { seededRandom } from './random.ts';

function draw(seed: number, count: number): readonly number[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => random.next());
}

test('the same seed repeats the same sequence', () => {
  expect(draw(7, 20)).toEqual(draw(7, 20));
});

test('different seeds give different sequences', () => {
  expect(draw(1, 5)).not.toEqual(draw(2, 5));
});

test('the draws fill the unit interval evenly', () => {
  const tenths = new Array<number>(10).fill(0);
  for (const value of draw(3, 10_000)) tenths[Math.floor(value * 10)] = (tenths[Math.floor(value * 10)] ?? 0) + 1;
  for (const count of tenths) expect(count).toBeGreaterThan(850);
  for (const count of tenths) expect(count).toBeLessThan(1150);
});

test('between reaches both of its ends and nothing beyond them', () => {
  const random = seededRandom(11);
  const seen = new Set(Array.from({ length: 500 }, () => random.between(2, 5)));
  expect([...seen].sort()).toEqual([2, 3, 4, 5]);
});

test('picking from nothing is refused', () => {
  expect(() => seededRandom(1).pick([])).toThrow(RangeError);
});
