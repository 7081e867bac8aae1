import type { Schema } from './describe-api.ts';
import { anyValues, oddValuesOf, wantedByKind } from './odd-values.ts';

/** A place of a body, and the values that are tried there. */
export interface Place {
  readonly path: readonly string[];
  readonly values: readonly unknown[];
  /** The conditions that are tried there, by field and match. */
  readonly conditions: readonly ConditionCase[];
}

export interface ConditionCase {
  readonly field: string;
  readonly match: string;
  /** What it is compared with. */
  readonly values: readonly unknown[];
}

export interface PlaceRules {
  readonly resolve: (schema: Schema) => Schema;
  /** Names that are tried where an object takes any. */
  readonly freeKeys: readonly string[];
}

/** Published by the service beside each condition: fields with the matches that compare them. */
const CONDITION_FIELDS = 'x-condition-fields';

/** The places of a body where a value can be: those of its schema, and those that this body has. */
export function placesOf(schema: Schema, body: unknown, rules: PlaceRules, path: readonly string[] = []): Place[] {
  const found = rules.resolve(schema);
  if (CONDITION_FIELDS in found) return [{ path, values: [], conditions: conditionsOf(found) }];
  const branches = (found.oneOf ?? found.anyOf) as readonly Schema[] | undefined;
  if (branches) return branchesFor(branches, body, rules).flatMap((one) => placesOf(one, body, rules, path));
  const under = (name: string, inner: Schema): Place[] =>
    placesOf(inner, (body as Schema | undefined)?.[name], rules, [...path, name]);
  const properties = Object.entries((found.properties ?? {}) as Readonly<Record<string, Schema>>);
  if (properties.length > 0) return properties.flatMap(([name, inner]) => under(name, inner));
  if (found.items !== undefined) return under('0', found.items as Schema);
  if (found.additionalProperties === true || typeof found.additionalProperties === 'object') {
    const names = new Set([...Object.keys((body ?? {}) as object), ...rules.freeKeys]);
    return [...names].map((name) => ({ path: [...path, name], values: anyValues, conditions: [] }));
  }
  return [{ path, values: oddValuesOf(found), conditions: [] }];
}

/** Those that know every member of the body; others would only be refused. */
function branchesFor(branches: readonly Schema[], body: unknown, { resolve }: PlaceRules): readonly Schema[] {
  const names = typeof body === 'object' && body !== null ? Object.keys(body) : [];
  return branches
    .map(resolve)
    .filter(({ properties }) => names.every((name) => name in ((properties ?? {}) as object)));
}

interface FieldRule {
  readonly kind: string;
  readonly values?: readonly string[];
}

/** What stands below CONDITION_FIELDS. */
interface PublishedFields {
  readonly fields: Readonly<Record<string, FieldRule>>;
  /** By kind: how its fields are compared. */
  readonly matches: Readonly<Record<string, readonly string[]>>;
}

function conditionsOf(schema: Schema): readonly ConditionCase[] {
  const { fields, matches } = schema[CONDITION_FIELDS] as PublishedFields;
  return Object.entries(fields).flatMap(([field, { kind, values }]) =>
    (matches[kind] ?? []).map((match) => ({ field, match, values: values ?? wantedByKind[kind] ?? [] })),
  );
}

/** The condition that a case makes with a value; some matches take none, a pair or a list. */
export function conditionOf({ field, match }: ConditionCase, value: unknown): Schema {
  const named = { field: field.replace(/<(\w+)>/, (_all, type: string) => attributeKey(type)), match };
  if (match === 'exists' || match === 'missing') return named;
  if (match === 'between') return { ...named, value: [value, value] };
  return { ...named, value: match === 'in' || match === 'not_in' ? [value] : value };
}

/** The key of the attribute that there is for each type. */
export function attributeKey(type: string): string {
  return `odd_${type}`;
}

/** A copy with another value at one place; what the way to it lacks is made. */
export function withValue(body: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(body) || (body === undefined && step === '0')) {
    const [first, ...others] = (body ?? []) as readonly unknown[];
    return [withValue(first, rest, value), ...others];
  }
  const object = (body ?? {}) as Schema;
  return { ...object, [step]: withValue(object[step], rest, value) };
}
