/**
 * Things that become due, in buckets of a few milliseconds: adding costs one array push and no timer, so ten thousand
 * messages a second may each wait for three statuses.
 */
export class TimeWheel<T> {
  readonly #bucketMs: number;
  readonly #buckets = new Map<number, T[]>();
  #drainedTo: number;
  #size = 0;

  constructor(bucketMs: number, nowMs: number) {
    this.#bucketMs = bucketMs;
    this.#drainedTo = Math.floor(nowMs / bucketMs);
  }

  get size(): number {
    return this.#size;
  }

  /** `item` leaves with the first drain at or after `dueMs`. */
  add(dueMs: number, item: T): void {
    // A bucket that was drained already would never be drained again.
    const bucket = Math.max(Math.ceil(dueMs / this.#bucketMs), this.#drainedTo + 1);
    const items = this.#buckets.get(bucket);
    if (items === undefined) this.#buckets.set(bucket, [item]);
    else items.push(item);
    this.#size++;
  }

  /** Hands over everything due at `nowMs`, earliest bucket first. */
  drain(nowMs: number, take: (item: T) => void): void {
    const last = Math.floor(nowMs / this.#bucketMs);
    for (const bucket of this.#dueBuckets(last)) {
      const items = this.#buckets.get(bucket) ?? [];
      this.#buckets.delete(bucket);
      this.#size -= items.length;
      for (const item of items) take(item);
    }
    this.#drainedTo = Math.max(this.#drainedTo, last);
  }

  /** Everything that waits, with when it is due at the latest. */
  *entries(): Generator<readonly [dueMs: number, item: T]> {
    for (const [bucket, items] of this.#buckets) for (const item of items) yield [bucket * this.#bucketMs, item];
  }

  /** Forgets everything; `nowMs` may lie before earlier drains (the clock was reset). */
  clear(nowMs: number): void {
    this.#buckets.clear();
    this.#size = 0;
    this.#drainedTo = Math.floor(nowMs / this.#bucketMs);
  }

  #dueBuckets(last: number): readonly number[] {
    // After a leap of the clock there are fewer buckets than ticks: walk the buckets instead.
    if (last - this.#drainedTo > this.#buckets.size) {
      return [...this.#buckets.keys()].filter((bucket) => bucket <= last).sort((a, b) => a - b);
    }
    const due: number[] = [];
    for (let bucket = this.#drainedTo + 1; bucket <= last; bucket++) if (this.#buckets.has(bucket)) due.push(bucket);
    return due;
  }
}
