/** The simulator's clock: real time plus an offset that only moves forward until a reset. */
export class Clock {
  readonly #realNow: () => number;
  #offsetMs = 0;

  constructor(realNow: () => number = Date.now) {
    this.#realNow = realNow;
  }

  /** Unix milliseconds. */
  now(): number {
    return this.#realNow() + this.#offsetMs;
  }

  get offsetMs(): number {
    return this.#offsetMs;
  }

  advance(ms: number): void {
    this.#offsetMs += ms;
  }

  reset(): void {
    this.#offsetMs = 0;
  }
}

/** Timers of real time that all end with the simulator, so that closing it leaves nothing behind. */
export class Timers {
  readonly #running = new Set<NodeJS.Timeout>();

  after(ms: number, run: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#running.delete(timer);
      run();
    }, ms);
    this.#running.add(timer);
    return timer;
  }

  cancel(timer: NodeJS.Timeout): void {
    clearTimeout(timer);
    this.#running.delete(timer);
  }

  cancelAll(): void {
    for (const timer of this.#running) clearTimeout(timer);
    this.#running.clear();
  }
}
