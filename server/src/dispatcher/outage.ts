import type { Clock } from '#runtime/clock';

const FIRST_WAIT_MS = 250;
/** Sending resumes at most this long after the network can be reached again. */
const LONGEST_WAIT_MS = 4_000;

/** Remembers that the network cannot be reached: nobody tries for a while, doubling up to a few seconds. */
export class Outage {
  readonly #clock: Clock;
  #waitMs = 0;
  #untilMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A send could not leave. Several at once count as one. */
  noticed(): void {
    if (this.isDown()) return;
    this.#waitMs = Math.min(LONGEST_WAIT_MS, this.#waitMs === 0 ? FIRST_WAIT_MS : this.#waitMs * 2);
    this.#untilMs = this.#clock.monotonic() + this.#waitMs;
  }

  /** The network answered something. */
  over(): void {
    this.#waitMs = 0;
    this.#untilMs = Number.NEGATIVE_INFINITY;
  }

  isDown(): boolean {
    return this.#clock.monotonic() < this.#untilMs;
  }

  /** How long a message that could not leave should wait. */
  waitMs(): number {
    return Math.max(FIRST_WAIT_MS, this.#waitMs);
  }
}
