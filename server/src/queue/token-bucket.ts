/**
 * How much unused speed a number may save up, in seconds of its rate. The network counts per second, so everything
 * saved comes on top of that second's rate: at 0.25 the worst second after a pause holds 1.25 times the rate. Less
 * would lose sends to timers, which wake a claim of many messages only every few tens of milliseconds.
 */
export const NUMBER_BURST_SECONDS = 0.25;

/** What normal and bulk messages leave for high ones, as a part of the burst. */
export const DEFAULT_RESERVE_FRACTION = 0.2;

const CUT_FACTOR = 0.7;
/** Refusals of sends that were already on their way say nothing new: at most one cut in this time. */
const CUT_SPACING_MS = 1000;
const SLOWEST_RATE_PER_SECOND = 1;
/** Part of the configured rate that comes back in each second after a cut. */
const RECOVERY_PER_SECOND = 0.02;
/** Sums of fractions of a token are off by far less; without it a wait could end a hair too early. */
const EPSILON = 1e-9;

/** The burst of a number of this rate: NUMBER_BURST_SECONDS of it, at least one message. */
export function numberBurst(ratePerSecond: number): number {
  return Math.max(1, Math.round(ratePerSecond * NUMBER_BURST_SECONDS));
}

export interface TokenBucketOptions {
  /** 0 = unlimited. */
  readonly ratePerSecond: number;
  /** Messages that may leave together after a pause; fixed if given, otherwise `numberBurst` of the rate. */
  readonly burst?: number;
  /** Part of the burst that only `reserved` takes may use; the last token is never part of it. */
  readonly reserveFraction?: number;
  /** Milliseconds of any clock that does not go back; so are all other times here. */
  readonly now: number;
  /** For a lane taken over from another owner, who may just have used up its burst. */
  readonly startEmpty?: boolean;
}

/**
 * The limiter of one sending number. In any window of w seconds at most burst + rate × w takes succeed (the generic
 * cell rate algorithm, kept as a count of tokens because the rate changes). The rate falls when the network refuses,
 * and recovers automatically.
 */
export class TokenBucket {
  readonly #fixedBurst: number | undefined;
  readonly #reserveFraction: number;
  #configuredRate: number;
  #rate: number;
  #burst: number;
  #tokens: number;
  #updatedAt: number;
  #cutAt = Number.NEGATIVE_INFINITY;

  /** @throws RangeError on a rate below 0, a burst below 1 or a reserve outside 0 to 1. */
  constructor(options: TokenBucketOptions) {
    const reserveFraction = options.reserveFraction ?? DEFAULT_RESERVE_FRACTION;
    if (options.burst !== undefined && !(options.burst >= 1)) throw new RangeError('A burst is at least 1.');
    if (!(reserveFraction >= 0 && reserveFraction <= 1)) throw new RangeError('A reserve is a part from 0 to 1.');
    this.#fixedBurst = options.burst;
    this.#reserveFraction = reserveFraction;
    this.#configuredRate = checkedRate(options.ratePerSecond);
    this.#rate = options.ratePerSecond;
    this.#burst = options.burst ?? numberBurst(options.ratePerSecond);
    this.#tokens = options.startEmpty === true ? 0 : this.#burst;
    this.#updatedAt = options.now;
  }

  /** Takes one token if there is one. @param reserved Whether the reserve may be used too. */
  tryTake(now: number, reserved: boolean): boolean {
    if (this.#configuredRate === 0) return true;
    this.#refill(now);
    if (this.#tokens + EPSILON < this.#needed(reserved)) return false;
    this.#tokens -= 1;
    return true;
  }

  /** How many takes would succeed now; Infinity when unlimited. */
  available(now: number, reserved: boolean): number {
    if (this.#configuredRate === 0) return Number.POSITIVE_INFINITY;
    this.#refill(now);
    return Math.max(0, Math.floor(this.#tokens + EPSILON - this.#needed(reserved) + 1));
  }

  /** Whole milliseconds after which a take succeeds if no other take comes first; 0 when one would now. */
  msUntilAvailable(now: number, reserved: boolean): number {
    if (this.#configuredRate === 0) return 0;
    this.#refill(now);
    const missing = this.#needed(reserved) - this.#tokens - EPSILON;
    // A rate that is recovering only shortens the wait, so the current one gives a time at which the take succeeds.
    return missing <= 0 ? 0 : Math.ceil((missing / this.#rate) * 1000);
  }

  /** The network said that the number is too fast: 0.7 of the rate, never under 1/s, at most once a second. */
  rateLimited(now: number): void {
    if (this.#configuredRate === 0 || now - this.#cutAt < CUT_SPACING_MS) return;
    this.#refill(now);
    const slowest = Math.min(SLOWEST_RATE_PER_SECOND, this.#configuredRate);
    this.#rate = Math.max(slowest, this.#rate * CUT_FACTOR);
    this.#cutAt = now;
  }

  /** Messages per second as of the last call that knew the time; 0 = unlimited. */
  currentRatePerSecond(): number {
    return this.#rate;
  }

  /** Another rate from now on; a cut that has not recovered stays in force. 0 = unlimited. */
  configure(ratePerSecond: number, now: number): void {
    this.#refill(now);
    const wasUnlimited = this.#configuredRate === 0;
    const wasCut = this.#rate < this.#configuredRate;
    this.#configuredRate = checkedRate(ratePerSecond);
    this.#rate = wasCut ? Math.min(this.#rate, ratePerSecond) : ratePerSecond;
    this.#burst = this.#fixedBurst ?? numberBurst(ratePerSecond);
    // What left while unlimited was not counted, so a limit begins with nothing saved.
    this.#tokens = wasUnlimited ? 0 : Math.min(this.#tokens, this.#burst);
  }

  /** Returns tokens that were taken for messages which then did not leave. */
  giveBack(n: number): void {
    this.#tokens = Math.min(this.#burst, this.#tokens + n);
  }

  /** Tokens that must be there for one to be taken. */
  #needed(reserved: boolean): number {
    // At a burst of 1 a reserve of any size would shut normal messages out for good.
    return reserved ? 1 : 1 + Math.min(this.#burst * this.#reserveFraction, this.#burst - 1);
  }

  /** Adds what the time since the last call has earned. A clock that went back earns nothing. */
  #refill(now: number): void {
    const seconds = (now - this.#updatedAt) / 1000;
    if (seconds <= 0) return;
    this.#updatedAt = now;
    this.#tokens = Math.min(this.#burst, this.#tokens + this.#recover(seconds));
  }

  /** Lets the rate recover for this long; returns the tokens earned in the meantime: the area under the rate. */
  #recover(seconds: number): number {
    const slope = this.#configuredRate * RECOVERY_PER_SECOND;
    const climbing = slope === 0 ? 0 : Math.min(seconds, (this.#configuredRate - this.#rate) / slope);
    const earned = this.#rate * climbing + (slope * climbing ** 2) / 2;
    this.#rate = climbing < seconds ? this.#configuredRate : this.#rate + slope * climbing;
    return earned + this.#rate * (seconds - climbing);
  }
}

function checkedRate(ratePerSecond: number): number {
  if (!(ratePerSecond >= 0 && Number.isFinite(ratePerSecond))) throw new RangeError('A rate is a number from 0.');
  return ratePerSecond;
}
