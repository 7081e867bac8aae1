import type { Schema } from './describe-api.ts';

/** Half of a character outside of the first plane, as it stays behind when a text is cut by its units. */
const CUT = '\ud83d';

/** Texts that storage, folding, patterns, tables and paths stumble over; some are refused everywhere. */
const TEXTS: readonly string[] = [
  ...['', ' ', '0', '-0', '-1', '1e400', 'null', 'true', '[]', '{"a":1}', '__proto__', 'constructor'],
  ...["' or 1=1 --", '$.a[*]', "contact.tags'->>'a", '%_\\', '\\', '"', '=1+1', 'a,b\r\nc;\td', '../..', '%s%n'],
  ...['\u0000', '\\u0000', '\u0001\u007f', '\ufffd', '\ufeff', '\u202e', CUT, `a${CUT}b`, '\uffff'],
  ...['👩‍👩‍👧', 'İıſßŒ', 'e\u0301', 'ﷺ', 'المتجر', 'x'.repeat(5_000)],
];
const DAYS: readonly string[] = [
  ...['0000-01-01', '0000-12-31', '0001-01-01', '0004-02-29', '1582-10-10', '2023-02-29'],
  ...['9999-12-31', '10000-01-01', '-0001-01-01', '0000-01', '9999-12'],
];
const TIMES: readonly string[] = [
  ...['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59', '9999-12-31T23:59:59-23:59', '+010000-01-01T00:00:00Z'],
  ...['1969-12-31T23:59:59.999Z', '2016-12-31T23:59:60Z', '2030-02-30T00:00:00Z', '2030-01-01T00:00:00.123456789Z'],
];
const NUMBERS: readonly number[] = [0, -0, -1, 0.1, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53, 2 ** 63];

/** Everything, for places that take any value. */
export const anyValues: readonly unknown[] = [
  ...[...TEXTS, ...DAYS, ...TIMES, ...NUMBERS],
  ...[null, true, false, [], [''], ['a', 'A', CUT], {}, [[[]]]],
];

const NOBODY = '0190a6f2-9a00-7b00-8c00-0a1b2c3d4e5f';
/** What conditions compare with, by the kind of their field. */
export const wantedByKind: Readonly<Record<string, readonly unknown[]>> = {
  text: TEXTS,
  enum: TEXTS,
  tags: TEXTS,
  id: [NOBODY, '0', '9'.repeat(32)],
  number: NUMBERS,
  time: [...TIMES, '-99999d', '-0m', '-1d'],
  boolean: [true, false],
};

/** Values of the type of a schema, at its limits and odd ones; whether they are valid is for the service to say. */
export function oddValuesOf(schema: Schema): readonly unknown[] {
  if (Array.isArray(schema.enum)) return schema.enum;
  const types = [schema.type].flat();
  return types.flatMap((type) => {
    if (type === 'string') return [...TEXTS, ...DAYS, ...TIMES, ...longest(schema)];
    if (type === 'integer' || type === 'number') return [...NUMBERS, ...limitsOf(schema)];
    if (type === 'boolean') return [true, false];
    if (type === 'null') return [null];
    if (type === 'array') return [[]];
    return type === 'object' ? [{}] : anyValues;
  });
}

/** Of the most characters: of one byte, and of four that are two units each. */
function longest({ maxLength }: Schema): readonly string[] {
  return typeof maxLength === 'number' ? ['x'.repeat(maxLength), '😀'.repeat(maxLength)] : [];
}

function limitsOf({ minimum, maximum }: Schema): readonly number[] {
  return [minimum, maximum].filter((limit) => typeof limit === 'number');
}

/** JSON that keeps the sign of zero, as a client may send it. */
export function toJson(value: unknown): string {
  const mark = '@negative zero@';
  return JSON.stringify(value, (_key, item) => (Object.is(item, -0) ? mark : item)).replaceAll(`"${mark}"`, '-0');
}
