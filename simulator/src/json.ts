/** JSON text as the network writes it: compact, ASCII only, lower-case hexadecimal escapes. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object; arrays and null are not objects here. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Printable ASCII without the quotation mark and the backslash: such text is its own JSON form.
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const NOT_ASCII = /[\u0080-\uffff]/g;

/** The JSON string literal of `text`, quotation marks included, in ASCII only. */
export function quoteAscii(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : escapeNonAscii(JSON.stringify(text));
}

/** Compact JSON of any value, in ASCII only; characters beyond the basic plane become surrogate pairs. */
export function stringifyAscii(value: unknown): string {
  return escapeNonAscii(JSON.stringify(value));
}

/** The object in `text`, or null when the text is not a JSON object. */
export function parseJsonObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

function escapeNonAscii(json: string): string {
  return json.replace(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
