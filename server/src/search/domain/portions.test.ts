import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeIds, type SearchPortion } from './portions.ts';

const SIZE = 4;
const id = (n: number) => String(n).padStart(4, '0');

/** What the tables hold after batches of ids were placed. */
function placed(batches: readonly (readonly string[])[]) {
  const portions = new Map<number, SearchPortion>();
  const portionOf = new Map<string, number>();
  for (const batch of batches) {
    const added = batch.filter((one) => !portionOf.has(one));
    const known = [...portions.values()].sort((a, b) => (a.firstId < b.firstId ? -1 : 1));
    const placing = placeIds(known, added, Math.max(0, ...portions.keys()) + 1, SIZE);
    for (const one of placing.changed) portions.set(one.portion, one);
    for (const [one, portion] of placing.portionOf) portionOf.set(one, portion);
  }
  return { portions: [...portions.values()].sort((a, b) => (a.firstId < b.firstId ? -1 : 1)), portionOf };
}

test('portions never overlap, hold each id within their bounds, and count what they hold, in any order of arrival', () => {
  const batch = fc.uniqueArray(fc.integer({ min: 0, max: 999 }).map(id), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(fc.array(batch, { maxLength: 20 }), (batches) => {
      const { portions, portionOf } = placed(batches);
      for (const [place, one] of portions.entries()) {
        expect(one.firstId <= one.lastId).toBe(true);
        const next = portions[place + 1];
        if (next !== undefined) expect(one.lastId < next.firstId).toBe(true);
        const own = [...portionOf].filter(([, portion]) => portion === one.portion).map(([name]) => name);
        expect(own).toHaveLength(one.documents);
        expect(own.every((name) => name >= one.firstId && name <= one.lastId)).toBe(true);
      }
      expect(portionOf.size).toBe(new Set(batches.flat()).size);
    }),
  );
});

test('what comes in the order of time, forwards or backwards, fills portions one after the other', () => {
  const all = Array.from({ length: 20 }, (_, n) => id(n));
  const one = (name: string) => [name];
  expect(placed(all.map(one)).portions.map(({ documents }) => documents)).toEqual([4, 4, 4, 4, 4]);
  expect(placed(all.toReversed().map(one)).portions.map(({ documents }) => documents)).toEqual([4, 4, 4, 4, 4]);
});
