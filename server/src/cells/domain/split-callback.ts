import { isJsonList, isJsonObject, type JsonObject, type JsonValue, parseSafeJson } from '#core/json';
import { idOf, objectOf } from '#core/json-fields';

/** A change of a callback, and whom it is about: a number, or, when it names none, an account. Null: nobody. */
export interface CallbackPart {
  readonly about: { readonly kind: 'number' | 'account'; readonly name: string } | null;
  readonly entry: JsonObject;
  readonly change: JsonValue;
}

/** The changes of a parsed callback, in order; null when it is not made of changes. */
export function partsOfCallback(body: JsonValue): readonly CallbackPart[] | null {
  if (!isJsonObject(body) || !isJsonList(body.entry)) return null;
  const parts: CallbackPart[] = [];
  for (const entry of body.entry) {
    if (!isJsonObject(entry) || !isJsonList(entry.changes)) return null;
    for (const change of entry.changes) parts.push({ about: aboutOf(entry, change), entry, change });
  }
  return parts.length === 0 ? null : parts;
}

function aboutOf(entry: JsonObject, change: JsonValue): CallbackPart['about'] {
  const value = objectOf(objectOf(change).value);
  const number = idOf(objectOf(value.metadata).phone_number_id);
  if (number !== null) return { kind: 'number', name: number };
  // What happens between partners is reported under the id of the partner.
  const account = idOf(objectOf(value.waba_info).waba_id) ?? idOf(entry.id);
  return account === null ? null : { kind: 'account', name: account };
}

/** A callback with these changes alone, each in its entry. */
export function callbackOf(body: JsonValue, parts: readonly CallbackPart[]): JsonObject {
  const entries = new Map<JsonObject, JsonValue[]>();
  for (const { entry, change } of parts) entries.set(entry, [...(entries.get(entry) ?? []), change]);
  return { ...objectOf(body), entry: [...entries].map(([entry, changes]) => ({ ...entry, changes })) };
}

/** A callback, taken apart for a tenant who has left. */
export interface CallbackShares {
  readonly theirs: Buffer;
  /** What stays; null: nothing does; `'all'`: the callback as it is. */
  readonly rest: Buffer | 'all' | null;
}

/** Names that the network has for a tenant. */
export type NamesOfTenant = Readonly<Record<'number' | 'account', ReadonlySet<string>>>;

/**
 * Takes the text of a callback apart. What is about one of their accounts goes to them and stays here as well:
 * an account can belong to several tenants, while a number has one.
 * @returns null when nothing of it is about them
 */
export function splitCallback(text: string, names: NamesOfTenant): CallbackShares | null {
  const body = parsedOrNull(text);
  const parts = partsOfCallback(body) ?? [];
  const isTheirs = ({ about }: CallbackPart): boolean => about !== null && names[about.kind].has(about.name);
  const theirs = parts.filter(isTheirs);
  if (theirs.length === 0) return null;
  const rest = parts.filter((part) => part.about?.kind !== 'number' || !isTheirs(part));
  const bodyOf = (some: readonly CallbackPart[]): Buffer => Buffer.from(JSON.stringify(callbackOf(body, some)));
  if (rest.length === parts.length) return { theirs: bodyOf(theirs), rest: 'all' };
  return { theirs: bodyOf(theirs), rest: rest.length === 0 ? null : bodyOf(rest) };
}

function parsedOrNull(text: string): JsonValue {
  try {
    return parseSafeJson(text);
  } catch {
    return null;
  }
}
