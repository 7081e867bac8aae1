import { expect, test } from 'vitest';
import { Histogram } from './histogram.ts';
import { seededRandom } from './random.ts';

test('percentiles of many latencies are within one percent of the sorted list', () => {
  const random = seededRandom(5);
  const values = Array.from({ length: 20_000 }, () => 0.05 * 10 ** (random.next() * 4));
  const histogram = new Histogram();
  for (const value of values) histogram.record(value);
  const sorted = values.toSorted((a, b) => a - b);
  for (const share of [0.5, 0.9, 0.99, 0.999]) {
    const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
    expect(histogram.percentile(share) / exact).toBeGreaterThan(0.99);
    expect(histogram.percentile(share) / exact).toBeLessThan(1.01);
  }
});

test('an empty histogram says zero', () => {
  expect(new Histogram().summary()).toEqual({ count: 0, p50Ms: 0, p90Ms: 0, p99Ms: 0, maxMs: 0 });
});

test('a single latency is every percentile', () => {
  const histogram = new Histogram();
  histogram.record(12.5);
  expect(histogram.summary()).toEqual({ count: 1, p50Ms: 12.5, p90Ms: 12.5, p99Ms: 12.5, maxMs: 12.5 });
});

test('latencies beyond the last bucket are counted and keep their maximum', () => {
  const histogram = new Histogram();
  histogram.record(10_000_000);
  expect(histogram.percentile(1)).toBeLessThanOrEqual(10_000_000);
  expect(histogram.summary().maxMs).toBe(10_000_000);
});
