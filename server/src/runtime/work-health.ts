import type { Clock } from './clock.ts';

/** What a process stores again and again; a process that cannot store it is of no use. */
export type Work = 'accept' | 'callbacks' | 'claim' | 'settle';

export interface FailingWork {
  readonly work: Work;
  /** What was the matter the last time; names nothing of the inside. */
  readonly sentence: string;
}

/** This many failures in a row are not an accident. */
const MIN_FAILURES = 3;
/** A failure counts for so long: afterwards requests are let in again, to see. */
const REMEMBERED_MS = 10_000;

interface Streak {
  readonly failures: number;
  readonly lastMs: number;
  readonly sentence: string;
}

/** The last outcomes of what this process stores. A failure counts only when the database was its reason. */
export class WorkHealth {
  readonly #clock: Clock;
  readonly #streaks = new Map<Work, Streak>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  succeeded(work: Work): void {
    this.#streaks.delete(work);
  }

  failed(work: Work, sentence: string): void {
    const failures = (this.#streaks.get(work)?.failures ?? 0) + 1;
    this.#streaks.set(work, { failures, lastMs: this.#clock.monotonic(), sentence });
  }

  /** Work of which nothing succeeded lately, and several attempts failed. */
  failing(): readonly FailingWork[] {
    const sinceMs = this.#clock.monotonic() - REMEMBERED_MS;
    return [...this.#streaks]
      .filter(([, { failures, lastMs }]) => failures >= MIN_FAILURES && lastMs > sinceMs)
      .map(([work, { sentence }]) => ({ work, sentence }));
  }
}
