import type { FaultDetail } from '#core/errors';
import type { JsonValue } from '#core/json';

/** Text that PostgreSQL cannot store: NUL, or half a surrogate pair. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/**
 * The first text below `value` that cannot be stored, or the place where it nests too deeply.
 * @param limits.name what the value is called, the start of every path
 */
export function textFault(
  value: JsonValue,
  limits: { readonly name: string; readonly maxNesting: number },
): FaultDetail | null {
  return walk(value, limits.name, limits.maxNesting);
}

function walk(value: JsonValue, path: string, levelsLeft: number): FaultDetail | null {
  if (typeof value === 'string') return UNSTORABLE.test(value) ? unstorable(path, value) : null;
  if (typeof value !== 'object' || value === null) return null;
  if (levelsLeft === 0) return tooDeep(path);
  for (const [key, item] of Object.entries(value)) {
    if (UNSTORABLE.test(key)) return unstorable(path, key, 'The name of a field in ');
    const fault = walk(item, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, levelsLeft - 1);
    if (fault) return fault;
  }
  return null;
}

function unstorable(path: string, text: string, part = ''): FaultDetail {
  const what = text.includes('\0') ? 'the character U+0000' : 'half a surrogate pair';
  return { path, message: `${part}${subject(path)} contains ${what}, which is not a valid character.` };
}

function tooDeep(path: string): FaultDetail {
  const field = topField(path);
  return { path: field, message: `${subject(field)} is nested too deeply.` };
}

/** `body.to` is called `to`; `body` alone is the body. */
function subject(path: string): string {
  return path.includes('.') ? path.slice(path.indexOf('.') + 1) : `The ${path}`;
}

/** `body.a[0].b` -> `body.a`: a path of 32 levels helps nobody. */
function topField(path: string): string {
  return /^[^.[]*(?:\.[^.[]*)?/.exec(path)?.[0] ?? path;
}
