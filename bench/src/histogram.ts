/** What a histogram says, in milliseconds. */
export interface LatencySummary {
  readonly count: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Values below this many microseconds have a bucket each. */
const EXACT_US = 256;
const EXACT_BITS = 8;
/** Buckets per doubling: a value is known to 1/128 of itself. */
const PER_DOUBLING = 128;
const DOUBLINGS = 24;

/** Latencies in buckets that grow with the value: fixed memory, and percentiles with an error below one percent. */
export class Histogram {
  readonly #counts = new Uint32Array(EXACT_US + DOUBLINGS * PER_DOUBLING);
  #count = 0;
  #maxMs = 0;

  /** Adds one latency in milliseconds. */
  record(ms: number): void {
    const index = bucketOf(ms * 1000);
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#count += 1;
    if (ms > this.#maxMs) this.#maxMs = ms;
  }

  get count(): number {
    return this.#count;
  }

  /** The value that this share (0 to 1) of all records does not exceed, in milliseconds; 0 without records. */
  percentile(share: number): number {
    const wanted = Math.max(1, Math.ceil(share * this.#count));
    let seen = 0;
    for (let index = 0; index < this.#counts.length; index += 1) {
      seen += this.#counts[index] ?? 0;
      if (seen >= wanted) return Math.min(this.#maxMs, upperEdgeUs(index) / 1000);
    }
    return this.#maxMs;
  }

  summary(): LatencySummary {
    return {
      count: this.#count,
      p50Ms: this.percentile(0.5),
      p90Ms: this.percentile(0.9),
      p99Ms: this.percentile(0.99),
      maxMs: this.#maxMs,
    };
  }
}

function bucketOf(us: number): number {
  const whole = Math.max(0, Math.round(us));
  if (whole < EXACT_US) return whole;
  const doubling = Math.min(DOUBLINGS - 1, Math.floor(Math.log2(whole)) - EXACT_BITS);
  const base = EXACT_US * 2 ** doubling;
  const part = Math.min(PER_DOUBLING - 1, Math.floor(((whole - base) / base) * PER_DOUBLING));
  return EXACT_US + doubling * PER_DOUBLING + part;
}

function upperEdgeUs(index: number): number {
  if (index < EXACT_US) return index;
  const doubling = Math.floor((index - EXACT_US) / PER_DOUBLING);
  const part = (index - EXACT_US) % PER_DOUBLING;
  const base = EXACT_US * 2 ** doubling;
  return base + ((part + 1) / PER_DOUBLING) * base;
}
