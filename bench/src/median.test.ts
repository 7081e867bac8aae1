import { expect, test } from 'vitest';
import { median } from './median.ts';

test('one pair that met another load does not move the ratio of the others', () => {
  expect(median([0.9, 0.1, 0.91])).toBe(0.9);
  expect(median([0.8, 0.9, 5, 0.7])).toBeCloseTo(0.85);
  expect(median([0.9])).toBe(0.9);
});
