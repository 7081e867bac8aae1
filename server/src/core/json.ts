/** Any value that JSON can carry, as read from outside: nothing of it may be changed. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Deeper parts are cut: real callbacks nest below 15, and a recursive reader must not run out of stack. */
export const MAX_JSON_DEPTH = 64;

const CUT = '(nested too deeply)';
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** True for an object that is neither null nor a list. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a list; `Array.isArray` alone forgets that the list is readonly. */
export function isJsonList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** PostgreSQL stores neither NUL nor half a surrogate pair: NUL is dropped, a lone surrogate becomes U+FFFD. */
export function toSafeText(text: string): string {
  // The test is one pass without an allocation; nearly every text passes it.
  return UNSTORABLE.test(text) ? text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD') : text;
}

/** The first `limit` characters of a text, fit for PostgreSQL; a character that the cut would halve is left out. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return toSafeText(text);
  return toSafeText(text.slice(0, isHighSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit));
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/**
 * A copy that PostgreSQL can store as jsonb: safe texts and keys, finite numbers, at most MAX_JSON_DEPTH levels.
 * What JSON cannot carry (undefined, functions, infinities) becomes null.
 */
export function toSafeJson(value: unknown, depth = 0): JsonValue {
  if (typeof value === 'string') return toSafeText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= MAX_JSON_DEPTH) return CUT;
  if (Array.isArray(value)) return value.map((item) => toSafeJson(item, depth + 1));
  // fromEntries defines its keys, so that a key named __proto__ stays a key.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [toSafeText(key), toSafeJson(item, depth + 1)]));
}

/** Escapes that can represent what PostgreSQL cannot store: NUL, and surrogates, which may lack their other half. */
const RISKY_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/**
 * Parses JSON text into a value that PostgreSQL can store, like `toSafeJson(JSON.parse(text))`, but without the copy
 * when the text shows that nothing needs care: nearly always, and a tenth of the cost of reading a callback.
 * @throws SyntaxError when the text is not JSON
 */
export function parseSafeJson(text: string): JsonValue {
  const value: unknown = JSON.parse(text);
  return RISKY_ESCAPE.test(text) || nestsDeeply(text) ? toSafeJson(value) : (value as JsonValue);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `{` and `}` are `[` and `]` with this bit set. */
const CASE_BIT = 0x20;
const OPENING = 0x5b;
const CLOSING = 0x5d;

/** Whether valid JSON text nests deeper than MAX_JSON_DEPTH: one pass over its characters. */
function nestsDeeply(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) inString = !inString;
    else if (inString) index += code === BACKSLASH ? 1 : 0;
    else if ((code & ~CASE_BIT) === OPENING) depth += 1;
    else if ((code & ~CASE_BIT) === CLOSING) depth -= 1;
    if (depth > MAX_JSON_DEPTH) return true;
  }
  return false;
}
