/** A seeded source of randomness: the same seed gives the same run. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Whole, uniform in [from, to]. */
  between(from: number, to: number): number;
  /** One of the items. @throws RangeError when there is none */
  pick<T>(items: readonly T[]): T;
}

const STEP = 0x6d2b79f5;
const RANGE = 2 ** 32;

/** The mulberry32 generator: 32 bits of state, good enough to pick faults and moments, and short enough to check. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + STEP) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / RANGE;
  };
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    between,
    pick: <T>(items: readonly T[]): T => {
      if (items.length === 0) throw new RangeError('There is nothing to pick from.');
      return items[between(0, items.length - 1)] as T;
    },
  };
}
