/** What is pushed on one side is walked through on the other. */
export class Queue<T> implements AsyncIterable<T> {
  #waiting: T[] = [];
  #isEnded = false;
  #error: unknown = null;
  #wake: () => void = () => undefined;

  push(value: T): void {
    this.#waiting.push(value);
    this.#wake();
  }

  /** @param error what the walk throws after everything that was pushed; null: it just ends */
  end(error: unknown): void {
    this.#isEnded = true;
    this.#error = error;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (;;) {
      for (const value of this.#waiting.splice(0)) yield value;
      if (this.#waiting.length > 0) continue;
      if (this.#isEnded) break;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#error !== null) throw this.#error;
  }
}
