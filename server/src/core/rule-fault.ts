import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/** A broken rule between several fields of an object of a request, which a schema cannot state. */
export interface RuleFault {
  /** Where, from that object: `action.buttons[1].reply.title`; empty for the object itself. */
  readonly at: string;
  /** Completes the sentence that begins with the path, without its full stop. */
  readonly message: string;
}

/**
 * A rule over an object or array of a request. It receives unchecked values: a wrong shape is reported by another
 * check, so it is skipped here.
 */
export type ContentRule = (value: JsonValue) => readonly RuleFault[];

/** The member as an object; an empty one when it is none. */
export function objectAt(value: JsonValue | undefined, key: string): JsonObject {
  const member = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(member) ? member : {};
}

/** The member as an array of objects with their places; anything that is not an object is left out. */
export function objectsAt(
  value: JsonValue | undefined,
  key: string,
): readonly { readonly item: JsonObject; readonly index: number }[] {
  const member = isJsonObject(value) ? value[key] : undefined;
  if (!isJsonList(member)) return [];
  const objects: { readonly item: JsonObject; readonly index: number }[] = [];
  for (const [index, item] of member.entries()) if (isJsonObject(item)) objects.push({ item, index });
  return objects;
}

/**
 * What must not occur twice: the texts of `items`, where each is, and what one is called: `the id of another button`.
 */
interface Distinct<Item> {
  readonly textOf: (item: Item) => JsonValue | undefined;
  readonly at: (item: Item, index: number) => string;
  readonly named: string;
}

const NO_FAULTS: readonly RuleFault[] = [];
const FEW = 10;

/** Names each item whose text occurred before. */
export function repeated<Item>(items: readonly Item[], { textOf, at, named }: Distinct<Item>): readonly RuleFault[] {
  if (items.length < 2) return NO_FAULTS;
  const texts = items.map(textOf);
  // Nearly always they differ, and for a few a set costs more than looking at each.
  if (texts.length <= FEW && texts.every((text, index) => texts.indexOf(text) === index)) return NO_FAULTS;
  const seen = new Set<string>();
  const faults: RuleFault[] = [];
  for (const [index, item] of items.entries()) {
    const text = texts[index];
    if (typeof text !== 'string') continue;
    if (seen.has(text)) faults.push({ at: at(item, index), message: `must differ from ${named}` });
    seen.add(text);
  }
  return faults;
}

/** Exactly one of these members must be there; for `at` see RuleFault. */
export function exactlyOne(value: JsonValue, keys: readonly string[], at = ''): readonly RuleFault[] {
  if (!isJsonObject(value)) return [];
  const given = keys.filter((key) => value[key] !== undefined);
  return given.length === 1 ? [] : [{ at, message: `needs exactly one of ${keys.join(', ')}` }];
}
