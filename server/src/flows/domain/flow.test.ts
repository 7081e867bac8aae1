import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Flow, listIdOf, pageOfFlows } from './flow.ts';

const flowOf = (flowId: string): Flow => ({
  flowId,
  name: '',
  status: 'draft',
  categories: [],
  networkAccountId: '1',
  jsonVersion: null,
  problems: [],
  preview: null,
  health: null,
});

test('pages show every flow once, the highest id first, however many digits the ids have', () => {
  const ids = fc.uniqueArray(fc.bigInt({ min: 1n, max: 10n ** 31n }), { size: 'medium' });
  fc.assert(
    fc.property(ids, fc.integer({ min: 1, max: 7 }), (numbers, limit) => {
      const flows = numbers.map((number) => flowOf(String(number)));
      const seen: string[] = [];
      for (let beforeId: string | null = null, more = true; more; ) {
        const page = pageOfFlows(flows, { limit, offset: 0, beforeId });
        seen.push(...page.items.map(({ flowId }) => flowId));
        const last = page.items.at(-1);
        beforeId = last === undefined ? null : listIdOf(last);
        more = page.hasMore;
      }
      const sorted = numbers.toSorted((one, other) => (one < other ? 1 : -1));
      expect(seen).toEqual(sorted.map(String));
    }),
  );
});
