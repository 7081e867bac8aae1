import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byDays } from '#events/domain/message-sums';

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
