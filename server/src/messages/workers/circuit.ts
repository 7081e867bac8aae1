import type { Clock } from '#runtime/clock';

const FIRST_WAIT_MS = 250;
/** Sending resumes at most this long after the other side answers again. */
const LONGEST_WAIT_MS = 4_000;

/**
 * Holds back sends while the other side does not answer. Closed: every send is admitted. Open: none is, for a wait that doubles
 * up to some seconds. Half open, after the wait: one send is admitted as the probe, and its outcome closes or reopens the circuit.
 */
export class Circuit {
  readonly #clock: Clock;
  /** 0: closed. */
  #waitMs = 0;
  #untilMs = Number.NEGATIVE_INFINITY;
  #probe: string | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isClosed(): boolean {
    return this.#waitMs === 0;
  }

  isOpen(): boolean {
    return this.#clock.monotonic() < this.#untilMs;
  }

  /** A send failed: opens, or stays open when it was the probe. Other failures are of sends that left before. */
  failed(id: string): void {
    if (!this.isClosed && id !== this.#probe) return;
    this.#probe = null;
    this.#openFor(Math.max(FIRST_WAIT_MS, this.#waitMs));
  }

  /** The other side answered. */
  close(): void {
    this.#waitMs = 0;
    this.#untilMs = Number.NEGATIVE_INFINITY;
    this.#probe = null;
  }

  /**
   * Whether this send may be claimed. Each call that admits one to a half-open circuit opens it again, so that no second send
   * of the same round replaces the probe. A probe without an outcome (not claimed, expired, not answered) is replaced after the wait.
   */
  admits(id: string): boolean {
    if (this.isClosed) return true;
    if (this.isOpen()) return false;
    this.#probe = id;
    this.#openFor(Math.min(LONGEST_WAIT_MS, this.#waitMs * 2));
    return true;
  }

  /** Whether this claimed send may leave: the circuit may have opened after it was admitted. */
  mayLeave(id: string): boolean {
    return this.isClosed || id === this.#probe;
  }

  /** How long a message that could not leave waits. */
  waitMs(): number {
    return Math.max(FIRST_WAIT_MS, this.#waitMs);
  }

  #openFor(ms: number): void {
    this.#waitMs = ms;
    this.#untilMs = this.#clock.monotonic() + ms;
  }
}
