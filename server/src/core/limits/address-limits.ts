import { callerNetwork } from '#core/public-address';
import { RequestBucket, type RequestRate } from './request-bucket.ts';

/** Addresses remembered; beyond it the oldest is forgotten and starts over, with its burst. */
const MAX_ADDRESSES = 20_000;

/** Limits how often something may fail for the callers of one address (IPv6: one network of 64 bits), in one process. */
export class AddressLimits {
  readonly #rate: RequestRate;
  readonly #buckets = new Map<string, RequestBucket>();

  constructor(rate: RequestRate) {
    this.#rate = rate;
  }

  /**
   * Counts one failure.
   * @param nowMs monotonic
   * @returns 0 within the limit, else milliseconds until the next failure is; failures beyond it are not counted
   */
  count(address: string, nowMs: number): number {
    const bucket = this.#bucketOf(callerNetwork(address) ?? '', nowMs);
    const waitMs = bucket.msUntilNext(nowMs);
    if (waitMs === 0) bucket.take();
    return waitMs;
  }

  #bucketOf(name: string, nowMs: number): RequestBucket {
    const known = this.#buckets.get(name);
    if (known) return known;
    const made = new RequestBucket(this.#rate, nowMs, false);
    this.#buckets.set(name, made);
    if (this.#buckets.size > MAX_ADDRESSES) this.#buckets.delete(this.#buckets.keys().next().value as string);
    return made;
  }
}
