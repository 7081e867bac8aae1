import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate, type FieldValue, makeOutcomeDecider } from '#core/conditions/evaluate';
import type { JsonObject } from '#core/json';
import { makeRule } from '#rules/domain/testing/make-rule';
import { checkWhen, compileRules } from './check-rule.ts';
import { findConflicts, implies } from './conflicts.ts';
import type { ChatbotRule } from './rule.ts';

const text = (match: string, value: string): JsonObject => ({ field: 'text', match, value });

function found(first: Partial<ChatbotRule>, second: Partial<ChatbotRule>) {
  const { rules } = compileRules([makeRule(1, first), makeRule(2, second)], 1);
  const { unreachable, conflicts } = findConflicts(rules);
  return { unreachable: unreachable.length, conflicts: conflicts.length };
}

describe('planted rules that can never match', () => {
  test.each([
    ['behind one that always stops', { stop: true }, { when: text('word', 'hi') }],
    ['with the same condition', { stop: true, when: text('is', 'Hi') }, { when: text('is', 'HI') }],
    [
      'a longer text behind a shorter one',
      { stop: true, when: text('contains', 'price') },
      { when: text('contains', 'prices') },
    ],
    ['a word behind a part of it', { stop: true, when: text('contains', 'order') }, { when: text('word', 'reorder') }],
    ['a whole behind its beginning', { stop: true, when: text('starts', 'hi') }, { when: text('is', 'hi there') }],
    [
      'one of several',
      { stop: true, when: { any: [text('word', 'a'), text('word', 'b')] } },
      { when: text('word', 'b') },
    ],
    ['a narrower trigger', { stop: true }, { trigger: { on: 'button.clicked' } }],
  ] as const)('are found: %s', (_name, first, second) => {
    expect(found(first, second)).toEqual({ unreachable: 1, conflicts: 0 });
  });

  test.each([
    ['the first does not stop', { when: text('word', 'a') }, { when: text('word', 'b') }],
    ['the first cools down', { stop: true, cooldownS: 60 }, {}],
    ['the first is narrower', { stop: true, when: text('is', 'hi') }, { when: text('word', 'hi') }],
    ['the first has another trigger', { stop: true, trigger: { on: 'button.clicked' } }, {}],
  ] as const)('are not seen where there are none: %s', (_name, first, second) => {
    expect(found(first, second).unreachable).toBe(0);
  });
});

test('two rules that answer the same message are a conflict, unless the first stops', () => {
  const both = { when: text('word', 'hi') };
  expect(found(both, both).conflicts).toBe(1);
  expect(found({ ...both, stop: true }, both)).toEqual({ unreachable: 1, conflicts: 0 });
  expect(found({ ...both, actions: [{ action: 'tag', add: ['greeting'] }] }, both).conflicts).toBe(0);
});

describe('an implication', () => {
  const word = fc.constantFrom('a', 'ab', 'b', 'a b', 'b  a', 'ab a', 'A', 'á b');
  const leaf = fc
    .record({ match: fc.constantFrom('is', 'word', 'contains', 'starts'), value: word })
    .map(({ match, value }) => text(match, value));
  const tree = fc.letrec<{ node: JsonObject }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.record({ all: fc.array(tie('node'), { minLength: 1, maxLength: 2 }) }),
      fc.record({ any: fc.array(tie('node'), { minLength: 1, maxLength: 2 }) }),
      fc.record({ not: tie('node') }),
    ),
  })).node;

  test('that is found holds for every text', () => {
    let implications = 0;
    const texts = fc
      .array(fc.constantFrom('a', 'b', ' ', 'ab', 'á', '-'), { maxLength: 5 })
      .map((parts) => parts.join('').trim());
    fc.assert(
      fc.property(tree, tree, fc.array(texts, { minLength: 5, maxLength: 10 }), (left, right, samples) => {
        const [narrow, wide] = [checkWhen(left), checkWhen(right)];
        if (!narrow.ok || !wide.ok || narrow.condition === null || wide.condition === null) return;
        if (!implies(narrow.condition, wide.condition)) return;
        implications += 1;
        for (const sample of samples) {
          const valueAt = (field: string): FieldValue => (field === 'text' ? sample : null);
          const decider = makeOutcomeDecider({ nowMs: 0, valueOf: valueAt, matchRegex: () => false });
          expect(evaluate(narrow.condition, decider) && !evaluate(wide.condition, decider)).toBe(false);
        }
      }),
      { numRuns: 5_000 },
    );
    expect(implications).toBeGreaterThan(100);
  });
});

test('rules that write different values over the same thing for the same messages are named, equal ones are not', () => {
  const write = (...actions: ChatbotRule['actions']) => ({ actions });
  const gold = { action: 'set_attribute', key: 'tier', value: 'gold' } as const;
  const reasons = (first: ChatbotRule['actions'], second: ChatbotRule['actions']) =>
    findConflicts(compileRules([makeRule(1, write(...first)), makeRule(2, write(...second))], 1).rules).conflicts.map(
      ({ reason }) => reason,
    );
  expect(reasons([gold], [{ ...gold, value: 'silver' }])).toEqual([expect.stringContaining('the attribute tier')]);
  expect(reasons([{ action: 'snooze', for_s: 60 }], [{ action: 'handoff' }])).toEqual([
    expect.stringContaining('the status of the conversation'),
  ]);
  expect(reasons([gold, { action: 'opt_out' }], [gold, { action: 'opt_out' }])).toEqual([]);
  expect(reasons([gold], [{ ...gold, key: 'size' }])).toEqual([]);
});
