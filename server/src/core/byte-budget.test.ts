import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteBudget } from './byte-budget.ts';

const LIMITS = { total: 100, perOwner: 40 };
const step = fc.record({ owner: fc.constantFrom('a', 'b', 'c', 'd'), bytes: fc.integer({ min: 1, max: 50 }) });

test('what is held never exceeds either limit, and is all given back in the end', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(step, fc.constant('give' as const))), (steps) => {
      const budget = new ByteBudget(LIMITS);
      const taken: { owner: string; bytes: number }[] = [];
      const heldBy = (owner: string) =>
        taken.filter((item) => item.owner === owner).reduce((sum, { bytes }) => sum + bytes, 0);
      const heldByAll = () => taken.reduce((sum, { bytes }) => sum + bytes, 0);
      const giveOne = (): void => {
        const item = taken.shift();
        if (item) budget.give(item.owner, item.bytes);
      };
      for (const next of steps) {
        if (next === 'give') {
          giveOne();
          continue;
        }
        const expected = expectedShortage(heldBy(next.owner) + next.bytes, heldByAll() + next.bytes);
        expect(budget.take(next.owner, next.bytes)).toBe(expected);
        if (expected === null) taken.push(next);
        expect(budget.held).toBe(heldByAll());
      }
      while (taken.length > 0) giveOne();
      expect([budget.held, budget.take('a', LIMITS.perOwner)]).toEqual([0, null]);
    }),
  );
});

function expectedShortage(own: number, all: number): 'owner' | 'all' | null {
  if (all > LIMITS.total) return 'all';
  return own > LIMITS.perOwner ? 'owner' : null;
}
