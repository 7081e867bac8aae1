import type { Clock } from '#runtime/clock';
import { type Holder, Shares } from './shares.ts';

interface Waiter {
  readonly id: unknown;
  readonly holder: Holder;
  readonly sinceMs: number;
  readonly resolve: (isHeld: boolean) => void;
}

/** A lane that waits although it holds slots. */
export interface HeldUp {
  readonly holder: Holder;
  readonly held: number;
  readonly waiting: number;
  readonly waitedMs: number;
}

/**
 * A semaphore with a bulkhead per lane and per tenant (see Shares). Those that wait get a slot in turns of lanes, and
 * within a lane in order of arrival; a lane that holds its share waits without anybody behind it.
 */
export class Slots {
  readonly #shares: Shares;
  readonly #clock: Clock;
  /** By lane; whose turn is next comes first. No entry is empty. */
  readonly #queues = new Map<string, Waiter[]>();
  #waiting = 0;
  #isClosed = false;

  constructor(size: number, clock: Clock) {
    this.#shares = new Shares(size, clock);
    this.#clock = clock;
  }

  get held(): number {
    return this.#shares.held;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Resolves with true when a slot is held under `id`, with false when the slots were closed before. */
  take(id: unknown, holder: Holder): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false);
    if (!this.#queues.has(holder.key) && this.#shares.mayTake(holder)) {
      this.#shares.take(id, holder);
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const waiter = { id, holder, sinceMs: this.#clock.monotonic(), resolve };
      const queue = this.#queues.get(holder.key);
      if (queue) queue.push(waiter);
      else this.#queues.set(holder.key, [waiter]);
      this.#waiting += 1;
    });
  }

  release(id: unknown): void {
    this.#shares.release(id);
    while (this.#shares.free > 0 && this.#grant());
  }

  /** Grants no further slots, and dismisses those that wait. Slots that are held stay held. */
  close(): void {
    this.#isClosed = true;
    for (const waiter of [...this.#queues.values()].flat()) waiter.resolve(false);
    this.#queues.clear();
    this.#waiting = 0;
  }

  /** Lanes that hold slots and have waited for another one for longer than `ms`. */
  heldUp(ms: number): readonly HeldUp[] {
    const nowMs = this.#clock.monotonic();
    return [...this.#queues.values()].flatMap((queue) => {
      const [first] = queue;
      if (first === undefined) return [];
      const held = this.#shares.heldBy(first.holder.key);
      const waitedMs = nowMs - first.sinceMs;
      return held > 0 && waitedMs > ms ? [{ holder: first.holder, held, waiting: queue.length, waitedMs }] : [];
    });
  }

  /** Gives a free slot to the first lane in turn that may hold one more. @returns false when there is none */
  #grant(): boolean {
    for (const [key, queue] of this.#queues) {
      const [first] = queue;
      if (first === undefined || !this.#shares.mayTake(first.holder)) continue;
      queue.shift();
      this.#queues.delete(key);
      if (queue.length > 0) this.#queues.set(key, queue);
      this.#waiting -= 1;
      this.#shares.take(first.id, first.holder);
      first.resolve(true);
      return true;
    }
    return false;
  }
}
