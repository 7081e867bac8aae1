import { expect, test } from 'vitest';
import { slopeOf } from './slope.ts';

test('the slope of a line is that of the line, wherever its points are', () => {
  const line = [100, 103, 104, 110].map((x) => ({ x, y: 3 * x - 7 }));
  expect(slopeOf(line)).toBeCloseTo(3);
});

test('a wave on a level has no slope, and one on a rise that of the rise', () => {
  const wave = (rise: number) => Array.from({ length: 1_000 }, (_, x) => ({ x, y: rise * x + 50 * Math.sin(x) }));
  expect(Math.abs(slopeOf(wave(0)))).toBeLessThan(0.01);
  expect(slopeOf(wave(0.5))).toBeCloseTo(0.5, 2);
});

test('too few points have no slope', () => {
  expect(slopeOf([])).toBe(0);
  expect(slopeOf([{ x: 1, y: 1 }])).toBe(0);
});
