import type { StreamFrame } from './source.ts';

/** The newest frames that a tab has seen, so that it can pass them on to one that has missed them. */
export class StreamHistory {
  readonly #size: number;
  #frames: StreamFrame[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** Where the stream stands; null: it has not begun. */
  get position(): string | null {
    return this.#frames.at(-1)?.position ?? null;
  }

  add(frame: StreamFrame): void {
    if (frame.isCut || frame.position === null) return;
    this.#frames.push(frame);
    if (this.#frames.length > 2 * this.#size) this.#frames = this.#frames.slice(-this.#size);
  }

  /** Everything behind this position; null: the position is not known here. */
  since(position: string): readonly StreamFrame[] | null {
    const place = this.#frames.findLastIndex((frame) => frame.position === position);
    return place === -1 ? null : this.#frames.slice(place + 1);
  }

  clear(): void {
    this.#frames = [];
  }
}
