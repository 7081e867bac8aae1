import type { Runtime } from '#runtime/runtime';

/** At least so long between two looks: a tenant that records all the time must not keep the database busy with them. */
const GAP_MS = 10;

/** Looks at once when asked, but one look at a time: what is asked meanwhile is one more look. */
export class CoalescingRunner {
  readonly #rt: Runtime;
  readonly #look: () => Promise<void>;
  #running = false;
  #looking: Promise<void> | null = null;
  #again = false;

  constructor(rt: Runtime, look: () => Promise<void>) {
    this.#rt = rt;
    this.#look = look;
  }

  ask(): void {
    this.#again = true;
    if (!this.#running) void this.#run();
  }

  /** Resolves when no look is under way; nobody may ask any more. */
  async drain(): Promise<void> {
    this.#again = false;
    await this.#looking;
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#again) {
      this.#again = false;
      // When it fails the poll finds the same a little later.
      this.#looking = this.#look().catch((error: Error) =>
        this.#rt.log.debug({ error: error.message }, 'webhook.look_failed'),
      );
      await this.#looking;
      await new Promise<void>((resolve) => this.#rt.clock.after(GAP_MS, resolve));
    }
    this.#running = false;
  }
}
