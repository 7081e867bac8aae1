import type { Runtime } from '#runtime/runtime';

/** Runs a step again and again, a fixed pause after each end. A failed step is logged and tried again. */
export class Loop {
  readonly #rt: Runtime;
  readonly #pauseMs: number;
  readonly #name: string;
  readonly #step: () => Promise<unknown>;
  #running: Promise<void> | null = null;
  #stopped = false;
  #isWoken = false;
  #wakeUp: () => void = () => undefined;

  constructor(rt: Runtime, pauseMs: number, name: string, step: () => Promise<unknown>) {
    this.#rt = rt;
    this.#pauseMs = pauseMs;
    this.#name = name;
    this.#step = step;
  }

  /** @param when 'later': the first step waits for a pause too */
  start(when: 'now' | 'later' = 'now'): void {
    this.#running = this.#run(when);
  }

  /** Lets the next step begin now instead of after the pause. */
  wake(): void {
    this.#isWoken = true;
    this.#wakeUp();
  }

  /** Resolves when the step under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wakeUp();
    await this.#running;
  }

  async #run(when: 'now' | 'later'): Promise<void> {
    if (when === 'later') await this.#pause();
    while (!this.#stopped) {
      // What wakes it from here on may have come too late for this step to see.
      this.#isWoken = false;
      try {
        await this.#step();
      } catch (error) {
        this.#rt.log.warn({ loop: this.#name, error: (error as Error).message }, 'loop.step_failed');
      }
      if (!this.#stopped) await this.#pause();
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isWoken) return resolve();
      const cancel = this.#rt.clock.after(this.#pauseMs, resolve);
      this.#wakeUp = () => {
        cancel();
        resolve();
      };
    });
  }
}
