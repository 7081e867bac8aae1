import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byDays, cutAtDays, QUARTER_MS } from './analytics.ts';

test('a period is cut into quarters, whole days of UTC and quarters, without gaps', () => {
  fc.assert(
    fc.property(fc.nat(3_000_000), fc.integer({ min: 1, max: 40_000 }), (start, length) => {
      const period = { startMs: start * QUARTER_MS, endMs: (start + length) * QUARTER_MS };
      const [from, day, behind, to] = cutAtDays(period);
      expect([from, to]).toEqual([start, start + length]);
      expect(from <= day && day <= behind && behind <= to).toBe(true);
      if (day < behind) expect([day % 96, behind % 96, day - from < 96, to - behind < 96]).toEqual([0, 0, true, true]);
      // Never a whole day quarter by quarter.
      else expect(length).toBeLessThan(2 * 96);
    }),
  );
});

test('sums by days are those of their quarters', () => {
  const delta = fc.record({
    dimension: fc.constantFrom('all', 'number'),
    key: fc.constantFrom('', '7'),
    quarter: fc.nat(400),
    counts: fc.record({ sent: fc.nat(9), read: fc.nat(9) }),
  });
  fc.assert(
    fc.property(fc.array(delta), (deltas) => {
      for (const day of byDays(deltas)) {
        const within = deltas.filter(
          ({ dimension, key, quarter }) =>
            dimension === day.dimension && key === day.key && Math.floor(quarter / 96) * 96 === day.quarter,
        );
        const sum = (measure: 'sent' | 'read') => within.reduce((total, { counts }) => total + counts[measure], 0);
        expect(day.counts).toEqual({ sent: sum('sent'), read: sum('read') });
      }
      expect(byDays(deltas).length).toBe(
        new Set(deltas.map((one) => `${one.dimension}/${one.key}/${Math.floor(one.quarter / 96)}`)).size,
      );
    }),
  );
});
