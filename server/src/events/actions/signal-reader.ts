/** More than a tenant has signals: who is so far behind begins again with what holds then. */
const MOST = 4_000;

/** What waits for one stream. However slow its reader is, only the newest frame of each matter waits. */
export class SignalReader {
  readonly #leave: () => void;
  readonly #waiting = new Map<string, string>();
  #wake: () => void = () => undefined;
  #isBehind = false;

  constructor(leave: () => void) {
    this.#leave = leave;
  }

  /** The reader is too slow: its stream must end, and begins again with what is held then. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  put(key: string, frame: string): void {
    if (this.#waiting.size >= MOST) {
      this.#isBehind = true;
      this.#waiting.clear();
    }
    // Deleted first, so that frames leave in the order of the latest changes.
    this.#waiting.delete(key);
    this.#waiting.set(key, frame);
    this.#wake();
  }

  /** Everything that waits, as text of the stream; empty when nothing does. */
  take(): string {
    const text = [...this.#waiting.values()].join('');
    this.#waiting.clear();
    return text;
  }

  /** Resolves when something waits. Only the latest call is answered. */
  arrival(): Promise<void> {
    if (this.#waiting.size > 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  leave(): void {
    this.#leave();
  }
}

/**
 * Adds what waits for a stream to its text. A piece of text is made only when the last was taken, so a slow reader holds
 * nobody back.
 */
export async function* withSignals(pieces: AsyncGenerator<string>, reader: SignalReader): AsyncGenerator<string> {
  let next = pieces.next();
  try {
    // The first piece says that the stream has begun.
    let isBegun = false;
    while (!reader.isBehind) {
      const step = await (isBegun ? Promise.race([next, reader.arrival()]) : next);
      if (step === undefined) {
        yield reader.take();
        continue;
      }
      if (step.done) return;
      isBegun = true;
      yield step.value + reader.take();
      next = pieces.next();
    }
  } finally {
    next.catch(() => undefined);
    await pieces.return(undefined);
  }
}
