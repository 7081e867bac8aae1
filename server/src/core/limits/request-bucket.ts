/** A clock and sums of fractions are off by far less; without it a wait could end a hair too early. */
const EPSILON = 1e-9;

export interface RequestRate {
  /** Above 0; a share of a rate need not be whole. */
  readonly perSecond: number;
  /** Requests that may come together after a pause; at least 1. */
  readonly burst: number;
}

/**
 * Counts requests against a rate: in any window of w seconds at most burst + rate × w takes succeed. Times are
 * milliseconds of a clock that does not step back.
 */
export class RequestBucket {
  #rate: RequestRate;
  #tokens: number;
  #updatedMs: number;

  constructor(rate: RequestRate, nowMs: number, startEmpty: boolean) {
    this.#rate = rate;
    this.#tokens = startEmpty ? 0 : rate.burst;
    this.#updatedMs = nowMs;
  }

  /** Another rate from now on. What was saved stays, up to the new burst; a larger burst has to be earned. */
  configure(rate: RequestRate, nowMs: number): void {
    if (rate.perSecond === this.#rate.perSecond && rate.burst === this.#rate.burst) return;
    this.#refill(nowMs);
    this.#rate = rate;
    this.#tokens = Math.min(this.#tokens, rate.burst);
  }

  /** How many takes would succeed now. */
  remaining(nowMs: number): number {
    this.#refill(nowMs);
    return Math.floor(this.#tokens + EPSILON);
  }

  /** Only after `remaining` was 1 or more at the same time. */
  take(): void {
    this.#tokens -= 1;
  }

  /** 0 when a take would succeed now. */
  msUntilNext(nowMs: number): number {
    this.#refill(nowMs);
    return Math.max(0, Math.ceil(((1 - this.#tokens - EPSILON) / this.#rate.perSecond) * 1000));
  }

  /** Until everything that may be saved is there again, if nothing is taken. */
  msUntilFull(nowMs: number): number {
    this.#refill(nowMs);
    return Math.max(0, Math.ceil(((this.#rate.burst - this.#tokens) / this.#rate.perSecond) * 1000));
  }

  #refill(nowMs: number): void {
    const seconds = Math.max(0, nowMs - this.#updatedMs) / 1000;
    this.#updatedMs = Math.max(this.#updatedMs, nowMs);
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + seconds * this.#rate.perSecond);
  }
}
