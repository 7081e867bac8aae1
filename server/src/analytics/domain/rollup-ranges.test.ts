import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decomposeRange, type SpanRange } from './rollup-ranges.ts';

const SPANS = [1, 96, 1536] as const;

/** How often each quarter near a time counts. */
function countedBy(ranges: readonly SpanRange[], [from, to]: readonly [number, number]): readonly number[] {
  const counted = new Array<number>(to - from).fill(0);
  for (const { first, behind, sign } of ranges) {
    for (let quarter = Math.max(first, from); quarter < Math.min(behind, to); quarter += 1) {
      counted[quarter - from] = (counted[quarter - from] ?? 0) + sign;
    }
  }
  return counted;
}

const times = fc.tuple(fc.integer({ min: 10_000, max: 2_000_000 }), fc.integer({ min: 1, max: 12_000 }));

test('each quarter of a time counts once, and none beside it', () => {
  fc.assert(
    fc.property(times, ([first, length]) => {
      const ranges = decomposeRange([first, first + length], SPANS);
      const around = [first - 2_000, first + length + 2_000] as const;
      const expected = countedBy([{ span: 1, first, behind: first + length, sign: 1 }], around);
      expect(countedBy(ranges, around)).toEqual(expected);
      for (const range of ranges) {
        expect([range.first % range.span, range.behind % range.span, range.first < range.behind]).toEqual([0, 0, true]);
      }
    }),
  );
});

test('a time takes at most half a longer span of shorter ones at each edge', () => {
  fc.assert(
    fc.property(times, ([first, length]) => {
      const ranges = decomposeRange([first, first + length], SPANS);
      const rowsOf = (span: number) =>
        ranges.filter((range) => range.span === span).reduce((rows, one) => rows + (one.behind - one.first) / span, 0);
      expect(rowsOf(1)).toBeLessThanOrEqual(96);
      expect(rowsOf(96)).toBeLessThanOrEqual(18);
    }),
  );
});

test('the days of a zone that is half an hour off cost the quarters between its midnight and the next one of UTC', () => {
  const midnight = 96 * 20_000 - 22;
  expect(decomposeRange([midnight, midnight + 96], [1, 96])).toEqual([
    { span: 1, first: midnight, behind: 96 * 20_000, sign: 1 },
    { span: 96, first: 96 * 20_000, behind: 96 * 20_001, sign: 1 },
    { span: 1, first: midnight + 96, behind: 96 * 20_001, sign: -1 },
  ]);
});

test('no time has no spans', () => {
  expect(decomposeRange([7, 7], SPANS)).toEqual([]);
});
