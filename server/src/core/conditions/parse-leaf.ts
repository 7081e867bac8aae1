import type { FaultDetail } from '#core/errors';
import { isUuid } from '#core/ids';
import { foldedWords, foldWhole } from '#core/text/normalize-text';
import {
  type FieldRule,
  type Leaf,
  MATCHES_BY_KIND,
  MAX_CONDITION_TEXT,
  MAX_CONDITION_VALUES,
  type Test,
} from './condition.ts';
import type { ParseOptions } from './parse-condition.ts';
import { parseTimePoint } from './time-point.ts';

export type ParsedLeaf =
  | { readonly ok: true; readonly leaf: Leaf }
  | { readonly ok: false; readonly faults: readonly FaultDetail[] };

/** The test, or what is wrong with the value in a sentence. */
type TestOrWrong = Test | string;

interface Asked {
  readonly match: string;
  readonly value: unknown;
  readonly rule: FieldRule;
  readonly options: ParseOptions;
}

const LEAF_KEYS: ReadonlySet<string> = new Set(['field', 'match', 'value']);

/** Checks one comparison against the kind of its field. */
export function parseLeaf(input: Readonly<Record<string, unknown>>, path: string, options: ParseOptions): ParsedLeaf {
  const faults = unknownKeys(input, path);
  const { field, value } = input;
  const rule = typeof field === 'string' ? options.fields(field) : undefined;
  if (typeof field !== 'string' || rule === undefined) {
    const message = typeof field === 'string' ? 'This field cannot be used here.' : 'The field to compare is missing.';
    return { ok: false, faults: [...faults, { path: `${path}.field`, message }] };
  }
  const matches: readonly string[] = MATCHES_BY_KIND[rule.kind];
  // Conditions that were stored before `exact` was named `is` keep their meaning.
  const match = input.match === 'exact' ? 'is' : (input.match ?? matches[0]);
  if (typeof match !== 'string' || !matches.includes(match)) {
    const message = `For a field of type ${rule.kind}, match must be one of ${matches.join(', ')}.`;
    return { ok: false, faults: [...faults, { path: `${path}.match`, message }] };
  }
  const test = readTest({ match, value, rule, options });
  if (typeof test === 'string') faults.push({ path: `${path}.value`, message: test });
  if (typeof test === 'string' || faults.length > 0) return { ok: false, faults };
  return { ok: true, leaf: { op: 'leaf', path, field, fieldKind: rule.kind, match, test } };
}

function unknownKeys(input: Readonly<Record<string, unknown>>, path: string): FaultDetail[] {
  const unknown = Object.keys(input).filter((key) => !LEAF_KEYS.has(key));
  return unknown.map((key) => ({ path: `${path}.${key}`, message: 'A comparison has field, match and value.' }));
}

function readTest(asked: Asked): TestOrWrong {
  if (asked.match === 'exists' || asked.match === 'missing') {
    if (asked.value !== undefined) return `${asked.match} does not take a value.`;
    return { kind: 'presence', present: asked.match === 'exists' };
  }
  switch (asked.rule.kind) {
    case 'text':
      return readText(asked);
    case 'enum':
    case 'id':
      return readOneOf(asked);
    case 'number':
      return readNumber(asked);
    case 'time':
      return readTime(asked);
    case 'tags':
      return readTag(asked);
    case 'boolean':
      if (typeof asked.value !== 'boolean') return 'The value must be true or false.';
      return { kind: 'boolean', wanted: asked.match === 'is' ? asked.value : !asked.value };
    default:
      return asked.rule.kind satisfies never;
  }
}

function readText({ match, value, options }: Asked): TestOrWrong {
  const wrong = wrongText(value);
  if (typeof value !== 'string' || wrong !== null) return wrong ?? 'The value must be a string.';
  if (match === 'regex') {
    if (options.checkRegex === undefined) return 'Regular expressions cannot be used here.';
    return options.checkRegex(value) ?? { kind: 'regex', pattern: value };
  }
  if (match === 'word') {
    const wanted = foldedWords(value).join(' ');
    return wanted === '' ? 'The value must contain at least one letter or digit.' : { kind: 'text', match, wanted };
  }
  const wanted = foldWhole(value);
  if (match === 'is') return { kind: 'text', match, wanted };
  return { kind: 'text', match: match === 'starts' ? 'starts' : 'contains', wanted };
}

function wrongText(value: unknown): string | null {
  if (typeof value !== 'string') return 'The value must be a string.';
  if (value.trim() === '')
    return 'The value must be a non-empty string. Use missing to match contacts without a value.';
  if (value.includes('\0')) return 'The value must not contain the character U+0000.';
  return value.length > MAX_CONDITION_TEXT ? `The value may have at most ${MAX_CONDITION_TEXT} characters.` : null;
}

function readOneOf({ match, value, rule }: Asked): TestOrWrong {
  const many = match === 'in' || match === 'not_in';
  if (many && (!Array.isArray(value) || value.length === 0 || value.length > MAX_CONDITION_VALUES)) {
    return `The value must be an array of 1 to ${MAX_CONDITION_VALUES} values.`;
  }
  const given: readonly unknown[] = many && Array.isArray(value) ? value : [value];
  const values: string[] = [];
  for (const one of given) {
    const wrong = wrongChoice(one, rule);
    if (wrong !== null) return wrong;
    values.push(String(one));
  }
  return { kind: 'one_of', values, negated: match === 'is_not' || match === 'not_in' };
}

function wrongChoice(value: unknown, rule: FieldRule): string | null {
  const wrong = wrongText(value);
  if (typeof value !== 'string' || wrong !== null) return wrong;
  if (rule.kind === 'id') return wrongId(value, rule);
  if (rule.values === undefined || rule.values.includes(value)) return null;
  return `The value must be one of ${rule.values.join(', ')}.`;
}

function wrongId(value: string, { values = [] }: FieldRule): string | null {
  if (isUuid(value) || /^[0-9]{1,32}$/.test(value) || values.includes(value)) return null;
  return ['The value must be an ID', ...values].join(' or ').concat('.');
}

function readNumber({ match, value }: Asked): TestOrWrong {
  if (match === 'between') {
    const [low, high] = pairOf(value);
    if (!isNumber(low) || !isNumber(high) || low > high) return 'The value must be two numbers, the lower one first.';
    return { kind: 'number_between', low, high };
  }
  if (!isNumber(value)) return 'The value must be a number.';
  return { kind: 'number', match: compareMatch(match), wanted: value };
}

function readTime({ match, value }: Asked): TestOrWrong {
  const how = 'a time (RFC 3339), or how long before ("-30d", "-12h", "-15m") or after ("+2h") now';
  if (match === 'between') {
    const [low, high] = pairOf(value).map(parseTimePoint);
    if (low === undefined || high === undefined || low === null || high === null)
      return `The value must be two values, each ${how}.`;
    return { kind: 'time_between', low, high };
  }
  const wanted = parseTimePoint(value);
  return wanted === null ? `The value must be ${how}.` : { kind: 'time', match: compareMatch(match), wanted };
}

function readTag({ match, value, rule: { isLiteral = false } }: Asked): TestOrWrong {
  const wrong = wrongText(value);
  if (typeof value !== 'string' || wrong !== null) return wrong ?? 'The value must be a string.';
  return { kind: 'tag', wanted: isLiteral ? value : foldWhole(value), negated: match === 'has_not', isLiteral };
}

function compareMatch(match: string): 'is' | 'gt' | 'gte' | 'lt' | 'lte' {
  return match === 'gt' || match === 'gte' || match === 'lt' || match === 'lte' ? match : 'is';
}

function pairOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) && value.length === 2 ? value : [];
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
