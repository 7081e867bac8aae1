/**
 * What a field holds decides how it can be compared. `id` and `enum` are compared literally, `text` with case and
 * accents folded.
 */
export type FieldKind = 'text' | 'enum' | 'id' | 'number' | 'time' | 'tags' | 'boolean';

/** What is known of a field that a condition may name. */
export interface FieldRule {
  readonly kind: FieldKind;
  /** The only values that there are; absent when any text may be one. Of an `id`, the words that stand for one. */
  readonly values?: readonly string[];
  /** Tags of this field are compared as they are written, without folding. */
  readonly isLiteral?: boolean;
}

/** Knows the fields that a place allows; undefined for every other name. */
export type FieldTable = (field: string) => FieldRule | undefined;

/** How each kind can be compared; the first is meant when a leaf does not say. */
export const MATCHES_BY_KIND = {
  text: ['is', 'word', 'contains', 'starts', 'regex', 'exists', 'missing'],
  enum: ['is', 'is_not', 'in', 'not_in', 'exists', 'missing'],
  id: ['is', 'is_not', 'in', 'not_in', 'exists', 'missing'],
  number: ['is', 'gt', 'gte', 'lt', 'lte', 'between', 'exists', 'missing'],
  time: ['gt', 'gte', 'lt', 'lte', 'between', 'exists', 'missing'],
  tags: ['has', 'has_not', 'exists', 'missing'],
  boolean: ['is', 'is_not', 'exists', 'missing'],
} as const satisfies Record<FieldKind, readonly string[]>;

export type TextMatch = 'is' | 'word' | 'contains' | 'starts';
export type CompareMatch = 'is' | 'gt' | 'gte' | 'lt' | 'lte';

/** A moment: milliseconds since 1970, or milliseconds before the moment of evaluation; negative ones are after it. */
export type TimePoint = { readonly atMs: number } | { readonly agoMs: number };

/** What a leaf asks of its field, checked against the field's kind and ready to compare. */
export type Test =
  | { readonly kind: 'presence'; readonly present: boolean }
  /** `wanted` is folded; for `word` it is words with one blank between. */
  | { readonly kind: 'text'; readonly match: TextMatch; readonly wanted: string }
  | { readonly kind: 'regex'; readonly pattern: string }
  | { readonly kind: 'one_of'; readonly values: readonly string[]; readonly negated: boolean }
  | { readonly kind: 'number'; readonly match: CompareMatch; readonly wanted: number }
  /** Both ends belong to it. */
  | { readonly kind: 'number_between'; readonly low: number; readonly high: number }
  | { readonly kind: 'time'; readonly match: CompareMatch; readonly wanted: TimePoint }
  | { readonly kind: 'time_between'; readonly low: TimePoint; readonly high: TimePoint }
  /** Tags are compared folded, and `wanted` is folded, unless the field is literal. */
  | { readonly kind: 'tag'; readonly wanted: string; readonly negated: boolean; readonly isLiteral: boolean }
  | { readonly kind: 'boolean'; readonly wanted: boolean };

export interface Leaf {
  readonly op: 'leaf';
  /** Where it stood in what was parsed: `when.all[1]`. */
  readonly path: string;
  readonly field: string;
  readonly fieldKind: FieldKind;
  /** As written, or the default of the kind. */
  readonly match: string;
  readonly test: Test;
}

/** A checked condition: made by parseCondition alone. */
export type Condition =
  | { readonly op: 'all' | 'any'; readonly path: string; readonly conditions: readonly Condition[] }
  | { readonly op: 'not'; readonly path: string; readonly condition: Condition }
  | Leaf;

/** A tree deeper than this is a mistake, and each level costs a stack frame. */
export const MAX_CONDITION_DEPTH = 8;
/** Keeps one condition within a fraction of a millisecond, and its SQL within what a planner likes. */
export const MAX_CONDITION_LEAVES = 100;
/** Characters of a text to compare with. */
export const MAX_CONDITION_TEXT = 1000;
/** Values in one `in` or `not_in`. */
export const MAX_CONDITION_VALUES = 100;
