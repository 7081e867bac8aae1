import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Condition, FieldRule } from './condition.ts';
import { evaluate, explain, type FieldValue, makeOutcomeDecider } from './evaluate.ts';
import { parseCondition } from './parse-condition.ts';

const NOW_MS = Date.parse('2026-07-20T12:00:00Z');

const FIELDS: Readonly<Record<string, FieldRule>> = {
  text: { kind: 'text' },
  type: { kind: 'enum', values: ['text', 'image'] },
  team: { kind: 'id' },
  score: { kind: 'number' },
  seen_at: { kind: 'time' },
  tags: { kind: 'tags' },
  first: { kind: 'boolean' },
};

const TEAM = '01980000-0000-7000-8000-000000000001';

function parse(input: unknown): Condition {
  const parsed = parseCondition(input, { path: 'when', fields: (name) => FIELDS[name], checkRegex: () => null });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.condition;
}

function faultsOf(input: unknown): readonly string[] {
  const parsed = parseCondition(input, { path: 'when', fields: (name) => FIELDS[name] });
  return parsed.ok ? [] : parsed.faults.map((fault) => fault.path);
}

function decider(values: Readonly<Record<string, FieldValue>>) {
  const matchRegex = (pattern: string, text: string) => new RegExp(pattern, 'i').test(text);
  return makeOutcomeDecider({ nowMs: NOW_MS, valueOf: (field) => values[field] ?? null, matchRegex });
}

const CASES: readonly (readonly [unknown, FieldValue, boolean])[] = [
  [{ field: 'text', value: 'OLÁ' }, ' ola ', true],
  [{ field: 'text', value: 'ola' }, 'ola!', false],
  [{ field: 'text', match: 'is', value: 'Ola' }, 'olá', true],
  [{ field: 'text', match: 'exact', value: 'ola' }, 'OLA', true],
  [{ field: 'score', match: 'is', value: 1 }, 2, false],
  [{ field: 'text', match: 'word', value: 'Preço' }, 'qual o PRECO?', true],
  [{ field: 'text', match: 'word', value: 'art' }, 'start', false],
  [{ field: 'text', match: 'word', value: 'opening hours' }, 'Your opening-hours?', true],
  [{ field: 'text', match: 'contains', value: 'art' }, 'START', true],
  [{ field: 'text', match: 'starts', value: 'st' }, 'Start', true],
  [{ field: 'text', match: 'regex', value: '^order [0-9]+$' }, 'Order 42', true],
  [{ field: 'text', match: 'exists' }, '', false],
  [{ field: 'text', match: 'missing' }, null, true],
  [{ field: 'text', match: 'contains', value: 'x' }, null, false],
  [{ field: 'type', value: 'image' }, 'image', true],
  [{ field: 'type', match: 'not_in', value: ['image'] }, 'text', true],
  [{ field: 'team', match: 'is_not', value: TEAM }, null, true],
  [{ field: 'team', match: 'in', value: [TEAM] }, TEAM, true],
  [{ field: 'score', value: 0 }, 0, true],
  [{ field: 'score', match: 'between', value: [1, 2] }, 2, true],
  [{ field: 'score', match: 'lt', value: 1 }, null, false],
  [{ field: 'seen_at', match: 'lt', value: '-30d' }, NOW_MS - 31 * 86_400_000, true],
  [{ field: 'seen_at', match: 'gte', value: '2026-07-20T12:00:00Z' }, NOW_MS, true],
  [{ field: 'tags', value: 'VIP' }, ['vip', 'new'], true],
  [{ field: 'tags', match: 'has_not', value: 'vip' }, ['new'], true],
  [{ field: 'tags', match: 'has_not', value: 'vip' }, ['Vip'], false],
  [{ field: 'tags', match: 'missing' }, [], true],
  [{ field: 'first', value: true }, true, true],
  [{ field: 'first', match: 'is_not', value: true }, false, true],
];

test.each(CASES)('%j against %j is %j', (input, value, expected) => {
  const { field } = input as { readonly field: string };
  expect(evaluate(parse(input), decider({ [field]: value }))).toBe(expected);
});

test('all faults of a condition are reported together, each with its place', () => {
  const faults = faultsOf({
    all: [
      { field: 'nope', value: 1 },
      { field: 'text', match: 'regex', value: 'a+' },
      { field: 'text', match: 'gt', value: 'a' },
      { field: 'type', value: 'video' },
      { any: [] },
      { not: { field: 'score', value: 'high' }, all: [] },
      { field: 'seen_at', match: 'between', value: ['-1d'] },
      { field: 'seen_at', match: 'gt', value: '2026-02-30T00:00:00Z' },
      { field: 'tags', value: '' },
      { field: 'first', value: 'yes', extra: 1 },
      'text',
    ],
  });
  expect(faults).toEqual([
    'when.all[0].field',
    'when.all[1].value',
    'when.all[2].match',
    'when.all[3].value',
    'when.all[4].any',
    'when.all[5]',
    'when.all[6].value',
    'when.all[7].value',
    'when.all[8].value',
    'when.all[9].extra',
    'when.all[9].value',
    'when.all[10]',
  ]);
});

test('a tree that is too deep or too wide is refused with one fault', () => {
  const leaf = { field: 'score', value: 1 };
  const nested = (levels: number): unknown => (levels === 0 ? leaf : { not: nested(levels - 1) });
  expect(faultsOf(nested(7))).toEqual([]);
  expect(faultsOf(nested(8))).toHaveLength(1);
  expect(faultsOf({ all: Array.from({ length: 100 }, () => leaf) })).toEqual([]);
  expect(faultsOf({ all: Array.from({ length: 101 }, () => leaf) })).toEqual(['when']);
});

test('an explanation names each comparison with what it saw', () => {
  const condition = parse({ any: [{ field: 'text', value: 'a' }, { not: { field: 'score', match: 'gt', value: 3 } }] });
  expect(explain(condition, decider({ text: 'b', score: 2 }))).toEqual({
    path: 'when',
    matched: true,
    parts: [
      { path: 'when.any[0]', matched: false, leaf: { field: 'text', match: 'is', seen: 'b' } },
      {
        path: 'when.any[1]',
        matched: true,
        parts: [{ path: 'when.any[1].not', matched: false, leaf: { field: 'score', match: 'gt', seen: 2 } }],
      },
    ],
  });
});

const leaves = fc.constantFrom(
  { field: 'score', match: 'gt', value: 3 },
  { field: 'text', match: 'contains', value: 'é' },
  { field: 'tags', value: 'vip' },
  { field: 'first', value: true },
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    leaves,
    fc.record({ all: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('tree') }),
  ),
}));
const values = fc.record({
  score: fc.option(fc.integer({ min: 0, max: 6 })),
  text: fc.option(fc.constantFrom('caFÉ', 'tea')),
  tags: fc.constantFrom<readonly string[]>([], ['VIP']),
  first: fc.option(fc.boolean()),
});

test('a condition and its negation never agree, and an explanation gives the verdict of the evaluation', () => {
  fc.assert(
    fc.property(tree, values, (input, held) => {
      const verdict = evaluate(parse(input), decider(held));
      expect(evaluate(parse({ not: input }), decider(held))).toBe(!verdict);
      expect(explain(parse(input), decider(held)).matched).toBe(verdict);
    }),
  );
});
