import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeRule } from '#rules/domain/testing/make-rule';
import { numbered, placedAmong } from './order.ts';

const names = (rules: readonly { readonly name: string; readonly position: number }[]) =>
  rules.map(({ name, position }) => `${name}@${position}`);

test('a rule that is placed moves the rule in its place and all later ones on', () => {
  const others = numbered([makeRule(1), makeRule(2), makeRule(3)]);
  expect(names(placedAmong(others, makeRule(9), 2))).toEqual(['rule 1@1', 'rule 9@2', 'rule 2@3', 'rule 3@4']);
  expect(names(placedAmong(others, makeRule(9), null)).at(-1)).toBe('rule 9@4');
  expect(names(placedAmong(others, makeRule(9), 900)).at(-1)).toBe('rule 9@4');
  expect(names(placedAmong(others, makeRule(9), 1))[0]).toBe('rule 9@1');
});

test('after any creations, moves and deletions, positions count from 1 without gaps and the others keep their order', () => {
  const steps = fc.array(fc.record({ rule: fc.integer({ min: 1, max: 9 }), place: fc.integer({ min: 1, max: 12 }) }));
  fc.assert(
    fc.property(steps, (moves) => {
      let all = numbered([]);
      for (const { rule, place } of moves) {
        const others = all.filter(({ name }) => name !== `rule ${rule}`);
        const after = placedAmong(others, makeRule(rule), place);
        expect(after.map(({ position }) => position)).toEqual(after.map((_one, index) => index + 1));
        expect(after.findIndex(({ name }) => name === `rule ${rule}`)).toBe(Math.min(place - 1, others.length));
        expect(after.filter(({ name }) => name !== `rule ${rule}`).map(({ name }) => name)).toEqual(
          others.map(({ name }) => name),
        );
        all = after;
      }
    }),
  );
});
