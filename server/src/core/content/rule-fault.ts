import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

/** A broken rule between several fields of an object of a request, which a schema cannot state. */
export interface RuleFault {
  /** Where, from that object: `action.buttons[1].reply.title`; empty for the object itself. */
  readonly at: string;
  /** Completes the sentence that begins with the path, without its full stop. */
  readonly message: string;
}

/**
 * A rule over an object or list of a request. It meets unchecked values: what has the wrong shape is somebody else's
 * fault to name, so it is passed over here.
 */
export type ContentRule = (value: JsonValue) => readonly RuleFault[];

/** The member as an object; an empty one when it is none. */
export function objectAt(value: JsonValue | undefined, key: string): JsonObject {
  const member = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(member) ? member : {};
}

/** The member as a list of objects with their places; what is no object is left out. */
export function objectsAt(
  value: JsonValue | undefined,
  key: string,
): readonly { readonly item: JsonObject; readonly index: number }[] {
  const member = isJsonObject(value) ? value[key] : undefined;
  if (!isJsonList(member)) return [];
  return member.flatMap((item, index) => (isJsonObject(item) ? [{ item, index }] : []));
}

/** Names each text that occurred before. `named` says what it is: `the id of another button`. */
export function repeated(
  texts: readonly { readonly at: string; readonly text: JsonValue | undefined }[],
  named: string,
): readonly RuleFault[] {
  const seen = new Set<string>();
  return texts.flatMap(({ at, text }) => {
    if (typeof text !== 'string') return [];
    if (seen.has(text)) return [{ at, message: `must differ from ${named}` }];
    seen.add(text);
    return [];
  });
}

/** Exactly one of these members must be there; for `at` see RuleFault. */
export function exactlyOne(value: JsonValue, keys: readonly string[], at = ''): readonly RuleFault[] {
  if (!isJsonObject(value)) return [];
  const given = keys.filter((key) => value[key] !== undefined);
  return given.length === 1 ? [] : [{ at, message: `needs exactly one of ${keys.join(', ')}` }];
}
