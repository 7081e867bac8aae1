/** Where several wait for each other: nobody goes on before all have come, and nobody at all when one of them fails. */
export class Meeting {
  /** Resolves when all have come. */
  readonly complete: Promise<void>;
  #missing: number;
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(size: number) {
    this.#missing = size;
    this.complete = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Those who have not come yet learn of a failure when they come.
    this.complete.catch(() => undefined);
  }

  /** @returns when all have come. @throws what one of them failed with */
  come(): Promise<void> {
    this.#missing -= 1;
    if (this.#missing === 0) this.#resolve();
    return this.complete;
  }

  /** Has no effect once all have come. */
  fail(error: unknown): void {
    this.#reject(error);
  }
}
