import { type NetworkError, networkError } from '../graph/errors.ts';
import { isJsonObject, type JsonObject } from '../json.ts';

const JSON_START = /^\s*[[{]/;

/**
 * A body as the network reads it: objects and lists may be JSON text, and a member that is null is not there. The same object when
 * nothing of this occurs in it, as in nearly all bodies.
 * @param text the JSON that the body was read from
 */
export function readMembers(body: JsonObject, text: string): JsonObject | NetworkError {
  const names = Object.keys(body).filter((name) => isJsonText(name, body[name]));
  const values: Record<string, unknown> = {};
  for (const name of names) {
    try {
      values[name] = JSON.parse(String(body[name]));
    } catch {
      return networkError(100, `Param ${name} must be valid JSON.`);
    }
  }
  const read = names.length === 0 ? body : { ...body, ...values };
  return names.length > 0 || text.includes('null') ? (dropNulls(read) as JsonObject) : read;
}

/** What the caller wants back is text, whatever it looks like. */
function isJsonText(name: string, value: unknown): boolean {
  return typeof value === 'string' && JSON_START.test(value) && name !== 'biz_opaque_callback_data';
}

function dropNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropNulls);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === null ? [] : [[name, dropNulls(member)]])),
  );
}
