import type { Database } from '#database/database';
import { findDueWork, WORK_KINDS, type WorkKind } from '#maintenance/store/due-work';
import type { Runtime } from '#runtime/runtime';

/** Loops that ask within this time of each other share an answer, which delays what they find by as much at most. */
const FRESH_MS = 200;
/** The same while there is no work of any kind: at rest, the quickest loops poll every other time. */
const IDLE_FRESH_MS = 400;

/**
 * Whether there is anything to do, asked in one statement for all loops of a process: at rest, a dozen of them would otherwise each
 * ask the database several times a second.
 */
export class DueWorkMonitor {
  readonly #rt: Runtime;
  readonly #db: Database;
  #freshUntilMs = Number.NEGATIVE_INFINITY;
  #answer: Promise<ReadonlySet<WorkKind>> = Promise.resolve(new Set());

  constructor(rt: Runtime, db: Database) {
    this.#rt = rt;
    this.#db = db;
  }

  /** @returns whether work of this kind may be due; true as well when the database cannot say */
  async has(kind: WorkKind): Promise<boolean> {
    if (this.#rt.clock.monotonic() > this.#freshUntilMs) this.#ask();
    return (await this.#answer).has(kind);
  }

  /** The same step, left out while nothing of this kind is due. */
  gate(kind: WorkKind, step: () => Promise<unknown>): () => Promise<unknown> {
    return async () => ((await this.has(kind)) ? step() : undefined);
  }

  #ask(): void {
    const askedMs = this.#rt.clock.monotonic();
    this.#freshUntilMs = askedMs + FRESH_MS;
    this.#answer = findDueWork(this.#db, this.#rt.clock.now()).then(
      (kinds) => {
        if (kinds.size === 0) this.#freshUntilMs = askedMs + IDLE_FRESH_MS;
        return kinds;
      },
      () => new Set(WORK_KINDS),
    );
  }
}
