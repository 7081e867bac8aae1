/**
 * A PostgreSQL array literal of values that need no quoting: UUIDs, numbers, booleans. The drivers quote and escape
 * every element, which was 5 % of the process on the hot path; texts from outside still go through them.
 */
export function plainArray(values: readonly (string | number | boolean | null)[]): string {
  let literal = '{';
  for (const [index, value] of values.entries()) literal += index === 0 ? String(value) : `,${value}`;
  return `${literal}}`;
}

const PLAIN_TOKEN = /^[\w.:+=/-]+$/;

/**
 * The same for texts that are tokens as a rule (numbers, ids of the network). One that could mean something in a literal
 * leaves the whole column to the driver.
 */
export function tokenArray(values: readonly (string | null)[]): string | readonly (string | null)[] {
  // An unquoted NULL would be one.
  return values.every((value) => value === null || (PLAIN_TOKEN.test(value) && value.toUpperCase() !== 'NULL'))
    ? plainArray(values)
    : values;
}

/** A column that nobody filled costs nothing: unnest pads a missing array with nulls. */
export function sparse<T>(column: readonly (T | null)[]): readonly (T | null)[] | null {
  return column.some((value) => value !== null) ? column : null;
}

/** Both: null for a column that nobody filled. */
export function sparsePlain(column: readonly (string | number | null)[]): string | null {
  return column.some((value) => value !== null) ? plainArray(column) : null;
}

/** Columns of rows, an array each: what `unnest` makes rows of again. */
export function columnsOf<T, Name extends keyof T>(
  rows: readonly T[],
  ...names: readonly Name[]
): readonly (readonly T[Name][])[] {
  return names.map((name) => rows.map((row) => row[name]));
}
