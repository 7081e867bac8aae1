/**
 * Durations counted in buckets that grow by a tenth each. Histograms add up in any order, and a quantile of the sum lies
 * within MAX_RELATIVE_ERROR of the exact one, however many durations there are (below a second: within half a second).
 */

/** Counts by bucket. */
export type Histogram = ReadonlyMap<number, number>;

/** A bucket ends at this many times its beginning. */
const GROWTH = 1.1;
/** Shorter durations share the bucket 0. */
const FIRST_MS = 1_000;
const LOG_GROWTH = Math.log(GROWTH);
/** From the value that represents a bucket to either end of it: (g - 1) / (g + 1), 4.8 %. */
export const MAX_RELATIVE_ERROR = (GROWTH - 1) / (GROWTH + 1);
export const MAX_ERROR_BELOW_MS = FIRST_MS / 2;

/** Where a duration counts. Negative ones, of clocks that disagree, count as none. */
export function bucketOf(durationMs: number): number {
  if (durationMs < FIRST_MS) return 0;
  return 1 + Math.floor(Math.log(durationMs / FIRST_MS) / LOG_GROWTH);
}

/** The duration that represents a bucket: as far from its beginning as from its end, in proportion to each. */
function estimateOf(bucket: number): number {
  if (bucket === 0) return FIRST_MS / 2;
  return (FIRST_MS * GROWTH ** (bucket - 1) * 2 * GROWTH) / (GROWTH + 1);
}

/** The one histogram with the counts of all. */
export function mergeHistograms(all: readonly Histogram[]): Histogram {
  const sum = new Map<number, number>();
  for (const one of all) {
    for (const [bucket, count] of one) sum.set(bucket, (sum.get(bucket) ?? 0) + count);
  }
  return sum;
}

export function countIn(histogram: Histogram): number {
  return [...histogram.values()].reduce((sum, count) => sum + count, 0);
}

/**
 * Quantiles of one histogram by nearest rank: the smallest duration that at least this share of them does not exceed.
 * @param shares from 0 to 1 @returns milliseconds in their order; null where nothing was counted
 */
export function quantilesOf(histogram: Histogram, shares: readonly number[]): readonly (number | null)[] {
  const total = countIn(histogram);
  if (total === 0) return shares.map(() => null);
  const buckets = [...histogram].sort(([left], [right]) => left - right);
  return shares.map((share) => estimateOf(bucketAt(buckets, Math.max(1, Math.ceil(share * total)))));
}

function bucketAt(buckets: readonly (readonly [number, number])[], rank: number): number {
  let seen = 0;
  for (const [bucket, count] of buckets) {
    seen += count;
    if (seen >= rank) return bucket;
  }
  return buckets.at(-1)?.[0] ?? 0;
}

/** `[bucket, count, bucket, count, ...]`, in the order of the buckets. */
export function writeHistogram(histogram: Histogram): string {
  return JSON.stringify([...histogram].sort(([left], [right]) => left - right).flat());
}

/** Reads what `writeHistogram` wrote. */
export function readHistogram(text: string): Histogram {
  const flat = JSON.parse(text) as readonly number[];
  const histogram = new Map<number, number>();
  for (let place = 0; place + 1 < flat.length; place += 2) histogram.set(flat[place] ?? 0, flat[place + 1] ?? 0);
  return histogram;
}

/**
 * Adds what `writeHistogram` wrote to the sum, or subtracts it. A report reads hundreds: no map is created for each.
 */
export function sumHistograms(all: readonly { readonly text: string; readonly sign: 1 | -1 }[]): Histogram {
  const counts: number[] = [];
  for (const { text, sign } of all) {
    const flat = JSON.parse(text) as readonly number[];
    for (let place = 0; place + 1 < flat.length; place += 2) {
      const bucket = flat[place] ?? 0;
      counts[bucket] = (counts[bucket] ?? 0) + sign * (flat[place + 1] ?? 0);
    }
  }
  return new Map([...counts.entries()].filter(([, count = 0]) => count !== 0));
}
