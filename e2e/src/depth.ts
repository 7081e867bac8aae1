/**
 * Whether this run proves everything, however long that takes: `npm run prove` sets TEST_WHOLE. Other runs try a slice of
 * what is long.
 */
export const isWhole = Boolean(process.env.TEST_WHOLE);

/** Returns all examples in a whole run, and otherwise only the first of them. */
export function slice<T>(examples: readonly T[]): readonly T[] {
  return isWhole ? examples : examples.slice(0, 1);
}
