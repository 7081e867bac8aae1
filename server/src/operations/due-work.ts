import type { Runtime } from '#runtime/runtime';
import type { Database } from '#storage/database';
import { findDueWork, WORK_KINDS, type WorkKind } from '#storage/due-work';

export type { WorkKind };

/** Loops that ask within this time of each other share an answer, which delays what they find by as much at most. */
const FRESH_MS = 200;

/**
 * Whether there is anything to do, asked in one statement for all loops of a process: at rest, a dozen of them would otherwise each
 * ask the database several times a second.
 */
export class DueWork {
  readonly #rt: Runtime;
  readonly #db: Database;
  #askedMs = Number.NEGATIVE_INFINITY;
  #answer: Promise<ReadonlySet<WorkKind>> = Promise.resolve(new Set());

  constructor(rt: Runtime, db: Database) {
    this.#rt = rt;
    this.#db = db;
  }

  /** @returns whether work of this kind may be due; true as well when the database cannot say */
  async has(kind: WorkKind): Promise<boolean> {
    const nowMs = this.#rt.clock.monotonic();
    if (nowMs - this.#askedMs > FRESH_MS) {
      this.#askedMs = nowMs;
      this.#answer = findDueWork(this.#db, this.#rt.clock.now()).catch(() => new Set(WORK_KINDS));
    }
    return (await this.#answer).has(kind);
  }

  /** The same step, left out while nothing of this kind is due. */
  gate(kind: WorkKind, step: () => Promise<unknown>): () => Promise<unknown> {
    return async () => ((await this.has(kind)) ? step() : undefined);
  }
}
