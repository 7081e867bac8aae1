/** A limit of accepts: a bucket of `burst` that refills at `ratePerSecond`. */
export interface RateLimit {
  readonly burst: number;
  readonly ratePerSecond: number;
}

/** The window that came closest to its bound, or went furthest beyond it. */
export interface WorstWindow {
  readonly windowMs: number;
  readonly fromMs: number;
  readonly count: number;
  readonly allowed: number;
}

const MS_PER_SECOND = 1000;

/**
 * Checks every window of a length that starts at an accept: in none may there be more than burst + rate × length.
 * Windows that start elsewhere hold no more than one of these.
 * @param timesMs moments of the accepts, in any order
 * @returns the worst window; null without accepts
 */
export function worstWindow(timesMs: readonly number[], windowMs: number, limit: RateLimit): WorstWindow | null {
  const sorted = timesMs.toSorted((a, b) => a - b);
  const allowed = limit.burst + (limit.ratePerSecond * windowMs) / MS_PER_SECOND;
  let worst: WorstWindow | null = null;
  let end = 0;
  for (const [start, fromMs] of sorted.entries()) {
    while (end < sorted.length && (sorted[end] ?? 0) < fromMs + windowMs) end += 1;
    const count = end - start;
    if (worst === null || count > worst.count) worst = { windowMs, fromMs, count, allowed };
  }
  return worst;
}
