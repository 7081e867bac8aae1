import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from './describe-api.ts';

/** Values for properties of this name, tried beside those of their schema: ids that exist, numbers that can be called. */
export type Hints = ReadonlyMap<string, Arbitrary<unknown>>;

export interface ValueRules {
  readonly hints: Hints;
  readonly resolve: (schema: Schema) => Schema;
  /** Also makes values one beside each limit; whether they are valid is for the validator to say. */
  readonly beside: boolean;
}

const LONGEST = 20;
const MOST_ITEMS = 3;
const DEEPEST = 6;
const DAY_MS = 86_400_000;

/** Values of a schema, most of them valid: rules that a schema states by `not` are ignored. */
export function valuesOf(schema: Schema, rules: ValueRules, name = '', depth = 0): Arbitrary<unknown> {
  const found = rules.resolve(schema);
  const own = depth > DEEPEST ? fc.constant(null) : plainValues(found, rules, depth);
  const hint = rules.hints.get(name);
  return hint === undefined ? own : fc.oneof({ weight: 4, arbitrary: hint }, { weight: 1, arbitrary: own });
}

function plainValues(schema: Schema, rules: ValueRules, depth: number): Arbitrary<unknown> {
  const branches = (schema.oneOf ?? schema.anyOf) as readonly Schema[] | undefined;
  if (branches) return fc.oneof(...branches.map((branch) => valuesOf(branch, rules, '', depth + 1)));
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]) as readonly string[];
  return fc.oneof(...types.map((type) => valuesOfType(type, schema, rules, depth)));
}

function valuesOfType(type: string, schema: Schema, rules: ValueRules, depth: number): Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return texts(schema, rules.beside);
    case 'integer':
    case 'number':
      return numbers(schema, type === 'integer', rules.beside);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return lists(schema, rules, depth);
    case 'object':
      return objects(schema, rules, depth);
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function texts(schema: Schema, beside: boolean): Arbitrary<unknown> {
  if (schema.format === 'uuid') return fc.uuid();
  if (schema.format === 'date-time') return times();
  const min = Number(schema.minLength ?? 0);
  const max = Number(schema.maxLength ?? min + LONGEST);
  const ordinary = fc.string({ unit: 'grapheme', minLength: min, maxLength: Math.min(max, min + LONGEST) });
  const limits = [min, max, ...(beside ? [min - 1, max + 1] : [])].filter((length) => length >= 0);
  const atLimits = fc.constantFrom(...limits.map((length) => 'x'.repeat(length)));
  const { pattern } = schema;
  return typeof pattern === 'string' ? fc.oneof(matching(pattern), atLimits) : fc.oneof(ordinary, atLimits);
}

/** Texts of a pattern; ordinary ones where fast-check cannot read it. */
function matching(pattern: string): Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'));
  } catch {
    return fc.string();
  }
}

/** Times around a fixed day, so that a seed gives the same requests tomorrow; and far ones. */
function times(): Arbitrary<string> {
  const around = Date.UTC(2026, 10, 21);
  return fc
    .oneof(fc.integer({ min: -DAY_MS, max: 60 * DAY_MS }), fc.constantFrom(-around, 300_000 * DAY_MS))
    .map((offset) => new Date(around + offset).toISOString());
}

function numbers(schema: Schema, whole: boolean, beside: boolean): Arbitrary<number> {
  const min = Number(schema.minimum ?? -(2 ** 53));
  const max = Number(schema.maximum ?? 2 ** 53);
  const limits = [min, max, ...(beside ? [min - 1, max + 1] : [])];
  if (!whole) return fc.oneof(fc.double({ min, max, noNaN: true }), fc.constantFrom(...limits));
  const safe = { min: Math.max(min, Number.MIN_SAFE_INTEGER), max: Math.min(max, Number.MAX_SAFE_INTEGER) };
  return fc.oneof(fc.integer(safe), fc.constantFrom(...limits));
}

function lists(schema: Schema, rules: ValueRules, depth: number): Arbitrary<unknown[]> {
  const minLength = Number(schema.minItems ?? 0);
  const maxLength = Math.min(Number(schema.maxItems ?? Number.POSITIVE_INFINITY), minLength + MOST_ITEMS);
  return fc.array(valuesOf((schema.items ?? {}) as Schema, rules, '', depth + 1), { minLength, maxLength });
}

function objects(schema: Schema, rules: ValueRules, depth: number): Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>);
  const required = (schema.required ?? []) as readonly string[];
  const free = schema.additionalProperties === true || typeof schema.additionalProperties === 'object';
  if (properties.length === 0 && free) return fc.dictionary(fc.string({ maxLength: LONGEST }), fc.jsonValue());
  const model = Object.fromEntries(
    properties.map(([name, property]) => [name, valuesOf(property, rules, name, depth + 1)]),
  );
  return fc.record(model, { requiredKeys: required.filter((name) => name in model) });
}
