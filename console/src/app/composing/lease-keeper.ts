/** A lease lasts for 30 seconds: it is renewed while somebody types, and given back when they stop. */
const RENEW_MS = 15_000;
const IDLE_MS = 20_000;

export interface LeaseCalls {
  /** @returns who holds it instead; null: nobody, it is ours now */
  take(): Promise<string | null>;
  /** @param isLeaving the page may be gone before the answer comes */
  release(isLeaving: boolean): Promise<unknown>;
}

/**
 * The lease of one conversation, for what is written in it here. Calls leave one after the other: a lease that is given back
 * while it is still being taken would otherwise be taken last, and nobody would write under it. An answer that comes when
 * nothing is written any more says nothing.
 */
export class LeaseKeeper {
  readonly #calls: LeaseCalls;
  readonly #show: (holderId: string | null) => void;
  #line: Promise<unknown> = Promise.resolve();
  /** When it was asked for last; null: it is not wanted. */
  #askedMs: number | null = null;
  #idle: ReturnType<typeof setTimeout> | undefined;

  /** @param show called with the agent who holds the lease instead; null: nobody */
  constructor(calls: LeaseCalls, show: (holderId: string | null) => void) {
    this.#calls = calls;
    this.#show = show;
  }

  /** What is written changes; '' when it was sent or thrown away. */
  write(text: string): void {
    clearTimeout(this.#idle);
    if (text === '') {
      this.stop();
      return;
    }
    this.#idle = setTimeout(() => this.stop(), IDLE_MS);
    const nowMs = Date.now();
    if (this.#askedMs !== null && nowMs - this.#askedMs < RENEW_MS) return;
    this.#askedMs = nowMs;
    this.#next(async () => {
      const holderId = await this.#calls.take();
      if (this.#askedMs !== null) this.#show(holderId);
    });
  }

  /** Nothing is written here any more. @param isLeaving the page shows something else, or goes away */
  stop(isLeaving = false): void {
    clearTimeout(this.#idle);
    this.#show(null);
    if (this.#askedMs === null) return;
    this.#askedMs = null;
    this.#next(() => this.#calls.release(isLeaving));
  }

  /** A failed call is not repeated here: the next key press takes the lease again, and a lease that is not renewed expires. */
  #next(call: () => Promise<unknown>): void {
    this.#line = this.#line.then(call).catch(() => undefined);
  }
}
