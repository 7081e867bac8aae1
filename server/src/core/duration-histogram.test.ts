import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bucketOf,
  countIn,
  type Histogram,
  MAX_ERROR_BELOW_MS,
  MAX_RELATIVE_ERROR,
  mergeHistograms,
  quantilesOf,
  readHistogram,
  sumHistograms,
  writeHistogram,
} from './duration-histogram.ts';

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;
/** As many short ones as long ones. */
const duration = fc.oneof(fc.nat(5_000), fc.nat(100_000), fc.nat(YEAR_MS));
const durations = fc.array(duration, { minLength: 1, maxLength: 200 });

function histogramOf(values: readonly number[]): Histogram {
  return mergeHistograms(values.map((value) => new Map([[bucketOf(value), 1]])));
}

/** The smallest value that at least this share of them does not exceed. */
function exactQuantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted.find((value) => sorted.filter((other) => other <= value).length >= share * sorted.length) ?? Number.NaN;
}

test('a quantile lies within 5 % of the exact one, or within half a second', () => {
  expect(MAX_RELATIVE_ERROR).toBeLessThan(0.05);
  fc.assert(
    fc.property(durations, fc.constantFrom(0.01, 0.5, 0.9, 0.99, 1), (values, share) => {
      const exact = exactQuantile(values, share);
      const [estimate = null] = quantilesOf(histogramOf(values), [share]);
      const error = Math.abs((estimate ?? Number.NaN) - exact);
      expect(error).toBeLessThanOrEqual(Math.max(MAX_ERROR_BELOW_MS, exact * MAX_RELATIVE_ERROR * 1.000_001));
    }),
    { numRuns: 300 },
  );
});

test('histograms of parts add up to that of the whole, in any order', () => {
  fc.assert(
    fc.property(fc.array(durations, { maxLength: 5 }), (parts) => {
      const whole = writeHistogram(histogramOf(parts.flat()));
      expect(writeHistogram(mergeHistograms(parts.map(histogramOf)))).toBe(whole);
      expect(writeHistogram(mergeHistograms(parts.map(histogramOf).toReversed()))).toBe(whole);
      expect(writeHistogram(readHistogram(whole))).toBe(whole);
    }),
  );
});

test('what is added and taken away again leaves nothing behind', () => {
  fc.assert(
    fc.property(fc.array(durations, { maxLength: 4 }), fc.array(durations, { maxLength: 4 }), (kept, gone) => {
      const texts = (parts: readonly (readonly number[])[], sign: 1 | -1) =>
        parts.map((part) => ({ text: writeHistogram(histogramOf(part)), sign }));
      const sum = sumHistograms([...texts(kept, 1), ...texts(gone, 1), ...texts(gone, -1)]);
      expect(writeHistogram(sum)).toBe(writeHistogram(histogramOf(kept.flat())));
    }),
  );
});

test('longer durations never count in an earlier bucket, and negative ones count as none', () => {
  fc.assert(
    fc.property(duration, duration, (left, right) => {
      expect(bucketOf(Math.min(left, right))).toBeLessThanOrEqual(bucketOf(Math.max(left, right)));
    }),
  );
  expect(bucketOf(-5)).toBe(0);
});

test('nothing has no quantiles', () => {
  expect(quantilesOf(new Map(), [0.5, 0.9])).toEqual([null, null]);
  expect(countIn(new Map())).toBe(0);
});
