import Type, { type TObject, type TProperties, type TSchema, type TUnsafe } from 'typebox';
import type { JsonObject } from '#core/json';
import type { ContentRule } from '#core/rule-fault';
import { type Description, describedAs, PATTERN_SENTENCE, RULES } from '#http/schemas/fields';

/*
 * Pieces of the objects that messages carry. The body parser has refused NUL and half surrogate pairs already.
 */

/** A text of 1 to `maxLength` characters. */
export function words(maxLength: number, description: string) {
  return Type.String({ minLength: 1, maxLength, description });
}

/** A text that may be empty. */
export function anyWords(maxLength: number, description: string) {
  return Type.String({ maxLength, description });
}

/** A text on one line. */
export function oneLine(maxLength: number, description: string) {
  return Type.String({
    minLength: 1,
    maxLength,
    description,
    pattern: '^[^\\n\\r]*$',
    [PATTERN_SENTENCE]: 'must be on one line',
  });
}

/** An identifier that comes back in the answer: no space at either end. */
export function trimmed(maxLength: number, description: string) {
  return Type.String({
    minLength: 1,
    maxLength,
    description,
    pattern: '^\\S(?:[\\s\\S]*\\S)?$',
    [PATTERN_SENTENCE]: 'must not begin or end with a space',
  });
}

/** An http or https address. */
export function address(maxLength: number, description: string) {
  return Type.String({
    minLength: 1,
    maxLength,
    description,
    pattern: '^[hH][tT][tT][pP][sS]?://[^\\s/]',
    [PATTERN_SENTENCE]: 'must be an address that begins with http:// or https://',
  });
}

/** The one value that a branch stands for. */
export function only<const T extends string>(value: T, description = `Always ${value}.`): TUnsafe<T> {
  return Type.Unsafe<T>({ type: 'string', enum: [value], description });
}

/** An object with these fields and no others; `rules` hold between them. */
export function fields<P extends TProperties>(
  properties: P,
  description: Description,
  ...rules: readonly ContentRule[]
): TObject<P> {
  return Type.Object(properties, {
    additionalProperties: false,
    ...describedAs(description),
    ...(rules.length === 0 ? {} : { [RULES]: rules }),
  });
}

/** `min` to `max` of `item`. */
export function listOfMany(
  item: TSchema,
  { min, max }: { readonly min: number; readonly max: number },
  description: string,
) {
  return Type.Array(item, { minItems: min, maxItems: max, description });
}

/** One of several objects, told apart by their `type`: only the faults of the one that is meant are named. */
export function byType(variants: readonly TSchema[], description: Description): TUnsafe<JsonObject> {
  return Type.Unsafe<JsonObject>({
    type: 'object',
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: [...variants],
    ...describedAs(description),
  });
}
