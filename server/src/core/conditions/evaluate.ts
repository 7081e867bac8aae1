import { fold, foldedWords, foldWhole } from '#core/text/normalize-text';
import type { CompareMatch, Condition, Leaf, Test } from './condition.ts';
import { pointMs } from './time-point.ts';

/** What a field holds: times as milliseconds since 1970, tags as they were given. Null when it holds nothing. */
export type FieldValue = string | number | boolean | readonly string[] | null;

/**
 * The values that conditions are evaluated against. One instance serves all conditions of a moment: it folds each text
 * once.
 */
export interface OutcomeDecider {
  readonly nowMs: number;
  readonly valueOf: (field: string) => FieldValue;
  /** Tries a pattern against a folded text: the engine must compare without case, and in linear time. */
  readonly matchRegex: (pattern: string, foldedText: string) => boolean;
  readonly texts: FoldedTexts;
}

/** How one part of a condition came out, for people who ask why. */
export interface Explanation {
  readonly path: string;
  readonly matched: boolean;
  /** Of a comparison. */
  readonly leaf?: { readonly field: string; readonly match: string; readonly seen: FieldValue };
  /** Of a group; all of them, also those that no longer mattered. */
  readonly parts?: readonly Explanation[];
}

/** @param valueOf what a field holds at this moment; asked for fields of the conditions alone */
export function makeOutcomeDecider(about: Omit<OutcomeDecider, 'texts'>): OutcomeDecider {
  return { ...about, texts: new FoldedTexts() };
}

/** Whether the condition holds. A field that holds nothing matches only `missing` and the negated comparisons. */
export function evaluate(condition: Condition, decider: OutcomeDecider): boolean {
  switch (condition.op) {
    case 'all':
      return condition.conditions.every((one) => evaluate(one, decider));
    case 'any':
      return condition.conditions.some((one) => evaluate(one, decider));
    case 'not':
      return !evaluate(condition.condition, decider);
    case 'leaf':
      return matchesLeaf(condition, decider);
    default:
      return condition satisfies never;
  }
}

/** The same verdict as `evaluate`, with what each comparison saw. */
export function explain(condition: Condition, decider: OutcomeDecider): Explanation {
  if (condition.op === 'leaf') {
    const leaf = { field: condition.field, match: condition.match, seen: decider.valueOf(condition.field) };
    return { path: condition.path, matched: matchesLeaf(condition, decider), leaf };
  }
  const inner = condition.op === 'not' ? [condition.condition] : condition.conditions;
  const parts = inner.map((one) => explain(one, decider));
  return { path: condition.path, matched: holds(condition.op, parts), parts };
}

/** What `evaluate` says of a group, from what its parts came to. */
function holds(op: 'all' | 'any' | 'not', parts: readonly Explanation[]): boolean {
  if (op === 'all') return parts.every(({ matched }) => matched);
  return parts.some(({ matched }) => matched) !== (op === 'not');
}

function matchesLeaf(leaf: Leaf, decider: OutcomeDecider): boolean {
  const seen = decider.valueOf(leaf.field);
  const { test } = leaf;
  if (test.kind === 'presence') return test.present === isPresent(seen);
  if (seen === null) return 'negated' in test && test.negated;
  if (typeof seen === 'string') return matchesText(test, seen, decider);
  if (typeof seen === 'number') return matchesNumber(test, seen, decider.nowMs);
  if (typeof seen === 'boolean') return test.kind === 'boolean' && test.wanted === seen;
  if (test.kind !== 'tag') return false;
  return seen.some((tag) => (test.isLiteral ? tag : decider.texts.whole(tag)) === test.wanted) !== test.negated;
}

function isPresent(seen: FieldValue): boolean {
  if (seen === null || seen === '') return false;
  return typeof seen !== 'object' || seen.length > 0;
}

function matchesText(test: Test, seen: string, decider: OutcomeDecider): boolean {
  if (test.kind === 'one_of') return test.values.includes(seen) !== test.negated;
  if (test.kind === 'regex') return decider.matchRegex(test.pattern, decider.texts.folded(seen));
  if (test.kind !== 'text') return false;
  switch (test.match) {
    case 'is':
      return decider.texts.whole(seen) === test.wanted;
    case 'word':
      return decider.texts.words(seen).includes(` ${test.wanted} `);
    case 'contains':
      return decider.texts.whole(seen).includes(test.wanted);
    case 'starts':
      return decider.texts.whole(seen).startsWith(test.wanted);
    default:
      return test satisfies never;
  }
}

function matchesNumber(test: Test, seen: number, nowMs: number): boolean {
  switch (test.kind) {
    case 'number':
      return compare(test.match, seen, test.wanted);
    case 'number_between':
      return test.low <= seen && seen <= test.high;
    case 'time':
      return compare(test.match, seen, pointMs(test.wanted, nowMs));
    case 'time_between':
      return pointMs(test.low, nowMs) <= seen && seen <= pointMs(test.high, nowMs);
    default:
      return false;
  }
}

function compare(match: CompareMatch, seen: number, wanted: number): boolean {
  switch (match) {
    case 'is':
      return seen === wanted;
    case 'gt':
      return seen > wanted;
    case 'gte':
      return seen >= wanted;
    case 'lt':
      return seen < wanted;
    case 'lte':
      return seen <= wanted;
    default:
      return match satisfies never;
  }
}

/** Folds each text once per instance: hundreds of rules ask about the same message. */
export class FoldedTexts {
  readonly #folded = new Map<string, string>();
  readonly #whole = new Map<string, string>();
  readonly #words = new Map<string, string>();

  folded(text: string): string {
    return remembered(this.#folded, text, fold);
  }

  whole(text: string): string {
    return remembered(this.#whole, text, foldWhole);
  }

  /** The words with a blank before, between and after them. */
  words(text: string): string {
    return remembered(this.#words, text, (one) => ` ${foldedWords(one).join(' ')} `);
  }
}

function remembered(known: Map<string, string>, text: string, make: (text: string) => string): string {
  const before = known.get(text);
  if (before !== undefined) return before;
  const made = make(text);
  known.set(text, made);
  return made;
}
