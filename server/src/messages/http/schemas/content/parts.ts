import Type, { type TObject, type TProperties, type TSchema, type TStringOptions, type TUnsafe } from 'typebox';
import type { JsonObject } from '#core/json';
import type { ContentRule } from '#core/rule-fault';
import { type Description, describedAs, PATTERN_SENTENCE, RULES } from '#http/schemas/fields';

/*
 * Pieces of the objects that messages carry. The body parser has refused NUL and half surrogate pairs already.
 */

/** A text of 1 to `maxLength` characters. @param pattern what else it must be, see `matching` */
export function words(maxLength: number, description: Description, pattern: TStringOptions = {}) {
  return Type.String({ minLength: 1, maxLength, ...describedAs(description), ...pattern });
}

/** @param sentence how a value must look, for the answer that refuses it */
export function matching(pattern: string, sentence: string) {
  return { pattern, [PATTERN_SENTENCE]: sentence };
}

/** A text on one line. */
export function oneLine(maxLength: number, description: string) {
  return words(maxLength, description, matching('^[^\\n\\r]*$', 'must be on one line'));
}

/** An identifier that comes back in the answer: no space at either end. */
export function trimmed(maxLength: number, description: string) {
  const sentence = 'must not begin or end with a space';
  return words(maxLength, description, matching('^\\S(?:[\\s\\S]*\\S)?$', sentence));
}

/** An http or https address. */
export function address(maxLength: number, description: Description) {
  const sentence = 'must be an address that begins with http:// or https://';
  return words(maxLength, description, matching('^[hH][tT][tT][pP][sS]?://[^\\s/]', sentence));
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
