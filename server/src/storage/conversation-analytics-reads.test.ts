import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SPANS } from '#core/conversation-tally';
import { coverOf } from './conversation-analytics-reads.ts';

test('the spans of a time follow on each other without gaps, begin where spans begin, and are few', () => {
  fc.assert(
    fc.property(fc.nat(2_000_000), fc.nat(40_000), (first, length) => {
      const ranges = coverOf([first, first + length]);
      let reached = first;
      for (const range of ranges) {
        expect([range.first, range.first % range.span, range.behind % range.span]).toEqual([reached, 0, 0]);
        expect(range.behind).toBeGreaterThan(range.first);
        reached = range.behind;
      }
      expect(reached).toBe(first + length);
      for (const [place, span] of SPANS.entries()) {
        const longer = SPANS[place + 1] ?? Number.POSITIVE_INFINITY;
        const quarters = ranges.filter((range) => range.span === span).map((range) => range.behind - range.first);
        expect(quarters.reduce((sum, one) => sum + one, 0)).toBeLessThan(2 * longer);
      }
    }),
  );
});
