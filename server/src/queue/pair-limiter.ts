/** The network's rule for one number and one recipient: a message per 6 s, 45 in a burst, to be paid back after. */
export const PAIR_INTERVAL_MS = 6000;
export const PAIR_BURST = 45;

/** About 20 MB. At 1,000 messages/s some 6,000 pairs are live on average: each message keeps its pair for one interval. */
export const MAX_PAIR_ENTRIES = 200_000;

/** More than the one entry that a call can add, so that what has expired is always overtaken. */
const CHECKED_PER_CALL = 2;

export interface PairLimiterOptions {
  /** When false every take succeeds and nothing is remembered. */
  readonly enabled: boolean;
  readonly intervalMs?: number;
  readonly burst?: number;
  readonly maxEntries?: number;
}

/**
 * The limiter of one sending number per recipient (generic cell rate algorithm): in any window of length w at most
 * burst + w / interval takes succeed. Remembers only recipients whose burst is not whole yet. Times are milliseconds
 * of any clock that does not go back.
 */
export class PairLimiter {
  readonly #enabled: boolean;
  readonly #intervalMs: number;
  readonly #toleranceMs: number;
  readonly #maxEntries: number;
  /** Per recipient the theoretical arrival time: when its burst is whole again. */
  readonly #arrivals = new Map<string, number>();
  /** Walks round the map, a few entries per call, and drops what has expired. */
  #walk: Iterator<[string, number]> = this.#arrivals.entries();

  /** @throws RangeError on an interval, burst or number of entries that is not positive. */
  constructor(options: PairLimiterOptions) {
    const { intervalMs = PAIR_INTERVAL_MS, burst = PAIR_BURST, maxEntries = MAX_PAIR_ENTRIES } = options;
    if (!(intervalMs > 0 && burst >= 1 && maxEntries >= 1)) throw new RangeError('A pair limit has positive figures.');
    this.#enabled = options.enabled;
    this.#intervalMs = intervalMs;
    this.#toleranceMs = intervalMs * (burst - 1);
    this.#maxEntries = maxEntries;
  }

  /** Takes one message to this recipient, or says from when on one is allowed. */
  tryTake(recipient: string, now: number): { ok: true } | { ok: false; retryAt: number } {
    if (!this.#enabled) return { ok: true };
    this.#prune(now);
    const arrival = Math.max(now, this.#arrivals.get(recipient) ?? now);
    const retryAt = arrival - this.#toleranceMs;
    if (retryAt > now) return { ok: false, retryAt };
    this.#remember(recipient, arrival + this.#intervalMs);
    return { ok: true };
  }

  /**
   * Reserves the next turn of this recipient, now or later, and returns when it is. Several reservations get turns one after the
   * other, so that messages which step aside keep their order and need not ask again.
   */
  reserve(recipient: string, now: number): number {
    if (!this.#enabled) return now;
    this.#prune(now);
    const arrival = Math.max(now, this.#arrivals.get(recipient) ?? now);
    this.#remember(recipient, arrival + this.#intervalMs);
    return Math.max(now, arrival - this.#toleranceMs);
  }

  /** The network refused this pair: nothing until then, and from then on as after a spent burst. */
  blocked(recipient: string, until: number): void {
    if (!this.#enabled) return;
    const arrival = until + this.#toleranceMs;
    this.#remember(recipient, Math.max(arrival, this.#arrivals.get(recipient) ?? arrival));
  }

  /** Recipients remembered now, among them some that expired and were not passed yet. */
  get size(): number {
    return this.#arrivals.size;
  }

  /**
   * At the limit the recipient remembered longest is forgotten: it may then be sent to too fast, and the network's
   * refusal restores it through `blocked`. Refusing a new recipient instead would stop the lane.
   */
  #remember(recipient: string, arrival: number): void {
    this.#arrivals.set(recipient, arrival);
    if (this.#arrivals.size <= this.#maxEntries) return;
    const oldest = this.#arrivals.keys().next();
    if (oldest.done !== true) this.#arrivals.delete(oldest.value);
  }

  /** Constant work per call. An iterator of a Map survives changes to it, so the walk never starts over early. */
  #prune(now: number): void {
    for (let checked = 0; checked < CHECKED_PER_CALL; checked += 1) {
      const step = this.#walk.next();
      if (step.done === true) {
        this.#walk = this.#arrivals.entries();
        return;
      }
      const [recipient, arrival] = step.value;
      if (arrival <= now) this.#arrivals.delete(recipient);
    }
  }
}
