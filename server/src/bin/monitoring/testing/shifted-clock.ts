import { type Clock, systemClock } from '#runtime/clock';

/** The machine's clock, whose wall time can be set forward: what waits becomes old, and everything goes on as before. */
export class ShiftedClock implements Clock {
  #aheadMs = 0;

  now(): number {
    return systemClock.now() + this.#aheadMs;
  }

  monotonic(): number {
    return systemClock.monotonic();
  }

  after(ms: number, task: () => void): () => void {
    return systemClock.after(ms, task);
  }

  setForward(ms: number): void {
    this.#aheadMs += ms;
  }
}
