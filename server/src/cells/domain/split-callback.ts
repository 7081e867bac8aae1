import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '#core/json';
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
