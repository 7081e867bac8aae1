import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Page } from '../paging.ts';
import { numberedId, pageOfNumbered } from './numbered-list.ts';

test('pages show every item once, the highest id first, however many digits the ids have', () => {
  const ids = fc.uniqueArray(fc.bigInt({ min: 1n, max: 10n ** 31n }), { size: 'medium' });
  fc.assert(
    fc.property(ids, fc.integer({ min: 1, max: 7 }), (numbers, limit) => {
      const items = numbers.map(String);
      const seen: string[] = [];
      for (let beforeId: string | null = null, more = true; more; ) {
        const page: Page<string> = pageOfNumbered(items, (id) => id, { limit, offset: 0, beforeId });
        seen.push(...page.items);
        const last: string | undefined = page.items.at(-1);
        beforeId = last === undefined ? null : numberedId(last);
        more = page.hasMore;
      }
      const sorted = numbers.toSorted((one, other) => (one < other ? 1 : -1));
      expect(seen).toEqual(sorted.map(String));
    }),
  );
});
