import Type, { type TProperties, type TSchema, type TUnsafe } from 'typebox';
import type { JsonObject, JsonValue } from '#core/json';

/** Annotation: what the schema is called in the OpenAPI document, set by `named`. */
export const NAME = 'x-name';
/** Annotation beside `pattern`: how a value must look, in words, for the answer that refuses it. Never published. */
export const PATTERN_SENTENCE = 'x-pattern-sentence';
/** Annotation: rules between fields that a schema cannot state, a list of ContentRule. Never published. */
export const RULES = 'x-rules';
/** Annotation: the schemas of a body that is told apart by one of its fields, see validation/variants.ts. Never published. */
export const VARIANTS = 'x-variants';
/** Annotation beside a discriminator: every value of its field. Made where schemas are compiled. */
export const TAGS = 'x-tags';
/** Annotation of a condition, published: the fields that it may name, and how fields of each kind are compared. */
export const CONDITION_FIELDS = 'x-condition-fields';

/** Keeps NUL, which PostgreSQL cannot store, out of query parameters; in bodies the parser already did. Never published. */
export const NO_NUL = {
  pattern: '^[^\\u0000]*$',
  [PATTERN_SENTENCE]: 'contains the character U+0000, which is not a valid character',
};
const DIGITS = {
  pattern: '^[0-9]+$',
  [PATTERN_SENTENCE]: 'must be a string of digits, as the messaging network names the number',
};

/** The schema of a parameter, with the value that the documentation shows for it. */
export function withExample<S extends TSchema>(schema: S, value: JsonValue): S {
  return { ...schema, examples: [value] };
}

/** What a schema is: in a sentence, or with a name of its own, see `named`. */
export type Description = string | { readonly description: string; readonly [NAME]: string };

/**
 * Options of a schema that stands in the OpenAPI document once, under this name: generated clients have a type of that
 * name. Schemas of one name are the same but for their descriptions.
 */
export function named(name: string, description: string) {
  return { [NAME]: name, description } as const;
}

/** The options that a description comes to. */
export function describedAs(description: Description) {
  return typeof description === 'string' ? { description } : description;
}

/** One of several texts. */
export function choiceOf<const T extends string>(values: readonly T[], description: Description): TUnsafe<T> {
  return Type.Unsafe<T>({ type: 'string', enum: [...values], ...describedAs(description) });
}

/** A text or null, in an answer. */
export function nullableText(
  description: Description,
  options: Readonly<Record<string, unknown>> = {},
): TUnsafe<string | null> {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], ...describedAs(description), ...options });
}

/** A UUID or null, in an answer. */
export function nullableUuid(description: Description): TUnsafe<string | null> {
  return nullableText(description, { format: 'uuid' });
}

/** An RFC 3339 time or null, in an answer. */
export function nullableTime(description: Description): TUnsafe<string | null> {
  return nullableText(description, { format: 'date-time' });
}

/** An object with all of these fields or null, in an answer. */
export function nullableObject(description: Description, properties: Readonly<Record<string, object>>) {
  return Type.Unsafe<JsonObject | null>({
    type: ['object', 'null'],
    ...describedAs(description),
    properties,
    required: Object.keys(properties),
  });
}

/** A whole number or null. */
export function nullableInteger(description: Description, limits: { minimum?: number; maximum?: number } = {}) {
  return Type.Unsafe<number | null>({ type: ['integer', 'null'], ...limits, ...describedAs(description) });
}

/** An object with fields of any names. */
export function anyObject(description: Description) {
  return Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true, ...describedAs(description) });
}

/** An RFC 3339 time, in a request or an answer. */
export function time(description: Description) {
  return Type.String({ format: 'date-time', ...describedAs(description) });
}

/** A UUID, in a request or an answer. */
export function uuid(description: Description) {
  return Type.String({ format: 'uuid', ...describedAs(description) });
}

/** The network's identifier of a sending number. */
export function phoneNumberId() {
  return Type.String({
    ...DIGITS,
    minLength: 1,
    maxLength: 32,
    ...named('PhoneNumberId', "The network's ID of the sending number."),
  });
}

/** A text of a caller, 1 to `maxLength` characters. */
export function text(maxLength: number, description: Description) {
  return Type.String({ ...NO_NUL, minLength: 1, maxLength, ...describedAs(description) });
}

/** An object of an answer or an event. */
export function viewOf<P extends TProperties>(description: Description, fields: P) {
  return Type.Object(fields, describedAs(description));
}

/** A body, or an object in one, that has no other fields than these. */
export function strictObject<P extends TProperties>(description: Description, fields: P) {
  return Type.Object(fields, { additionalProperties: false, ...describedAs(description) });
}

/** A query that has no other parameters than these. */
export function queryOf<P extends TProperties>(parameters: P) {
  return Type.Object(parameters, { additionalProperties: false });
}

/** Fields of a body that may be left out. */
export function optional<P extends TProperties>(fields: P) {
  return Type.Partial(Type.Object(fields)).properties;
}

/** The body of a change: some of these fields, at least one. */
export function changeOf<P extends TProperties>(fields: P, description = 'Omitted fields stay unchanged.') {
  return Type.Object(optional(fields), { additionalProperties: false, minProperties: 1, description });
}
