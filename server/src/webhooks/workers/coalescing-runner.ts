import type { Runtime } from '#runtime/runtime';

/** Least pause between two runs: a tenant that records events all the time must not keep the database busy. */
const GAP_MS = 10;
/** A pause lasts so many times as long as the run before it: of thousands of lanes, each run takes longer. */
const REST = 19;
const MOST_GAP_MS = 200;

/** Runs a task as soon as it is asked to, one run at a time: all requests during a run lead to one more run. */
export class CoalescingRunner {
  readonly #rt: Runtime;
  readonly #task: () => Promise<void>;
  #running = false;
  #current: Promise<void> | null = null;
  #again = false;

  constructor(rt: Runtime, task: () => Promise<void>) {
    this.#rt = rt;
    this.#task = task;
  }

  ask(): void {
    this.#again = true;
    if (!this.#running) void this.#run();
  }

  /** Resolves when the current run has ended; `ask` must not be called afterwards. */
  async drain(): Promise<void> {
    this.#again = false;
    await this.#current;
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#again) {
      this.#again = false;
      const startMs = this.#rt.clock.monotonic();
      // If it fails, the poll finds the same work a little later.
      this.#current = this.#task().catch((error: Error) =>
        this.#rt.log.debug({ error: error.message }, 'webhook.look_failed'),
      );
      await this.#current;
      const tookMs = this.#rt.clock.monotonic() - startMs;
      const gapMs = Math.min(MOST_GAP_MS, Math.max(GAP_MS, REST * tookMs));
      await new Promise<void>((resolve) => this.#rt.clock.after(gapMs, resolve));
    }
    this.#running = false;
  }
}
