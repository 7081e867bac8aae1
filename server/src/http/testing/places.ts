import type { JsonObject, JsonValue } from '#core/json';

/** Every place of a value, as the steps that lead there. */
export function placesOf(value: JsonValue, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, item]) => placesOf(item, [...path, key]))];
}

/** A copy with another value at one place. */
export function replaced(value: JsonValue, [step, ...rest]: readonly string[], by: JsonValue): JsonValue {
  if (step === undefined) return by;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === step ? replaced(item, rest, by) : item));
  const object = value as JsonObject;
  return { ...object, [step]: replaced(object[step] ?? null, rest, by) };
}
