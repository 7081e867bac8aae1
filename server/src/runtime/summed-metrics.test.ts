import { expect, test } from 'vitest';
import { makeMetrics } from './metrics.ts';
import { sumMetrics } from './summed-metrics.ts';

test('counters, histograms and what processes hold are added up; of what each sees for itself, the largest counts', async () => {
  const [one, other] = [makeMetrics(), makeMetrics()];
  for (const [metrics, by] of [
    [one, 1],
    [other, 2],
  ] as const) {
    metrics.sends.inc({ outcome: 'accepted' }, by);
    metrics.lanesOwned.set(by);
    metrics.databaseHistory.set(by);
    metrics.batchRows.observe({ batch: 'accept' }, by);
  }
  const each = [await one.readValues(), await other.readValues()];
  const text = await sumMetrics(each);
  expect(text).toContain('postrider_sends_total{outcome="accepted"} 3\n');
  expect(text).toContain('postrider_lanes_owned 3\n');
  expect(text).toContain('postrider_database_history 2\n');
  expect(text).toContain('postrider_batch_rows_sum{batch="accept"} 3\n');
  expect(text).toContain('postrider_batch_rows_bucket{le="1",batch="accept"} 1\n');
});
