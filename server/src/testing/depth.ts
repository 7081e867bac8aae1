/**
 * Whether this run proves everything, however long that takes: `npm run prove` sets TEST_WHOLE. Other runs try a slice of
 * what is long: fewer cases of a property, and one example of several that differ little.
 */
export const isWhole = Boolean(process.env.TEST_WHOLE);

/** The part of the cases of a long property that an ordinary run tries. */
const SHARE = 0.2;
const FEWEST = 2;

/** Returns how many cases of a property to try, given the number for a whole run. */
export function cases(whole: number): number {
  return isWhole ? whole : Math.max(FEWEST, Math.round(whole * SHARE));
}
