import type { DispatcherId } from '#core/ids';
import type { Database } from '#database/database';
import { findDueLanes } from '#messages/store/queue-due';
import type { Runtime } from '#runtime/runtime';
import { laneKey } from './lane-key.ts';

/** A poll costs by the lanes that wait: with thousands of them it rests this multiple of its time, at most so long. */
const REST_MULTIPLE = 9;
const MAX_REST_MS = 1_000;
/** After finding an empty queue the poll rests this long, unless a message is announced. */
const EMPTY_MS = 1_000;

/** Finds own lanes with due work, so that nothing depends on a wake-up arriving. */
export class LanePoll {
  readonly #rt: Runtime;
  readonly #db: Database;
  readonly #owner: DispatcherId;
  readonly #wake: (key: string) => void;
  #restUntilMs = Number.NEGATIVE_INFINITY;
  #emptyUntilMs = Number.NEGATIVE_INFINITY;
  #stirs = 0;

  constructor(rt: Runtime, db: Database, owner: DispatcherId, wake: (key: string) => void) {
    this.#rt = rt;
    this.#db = db;
    this.#owner = owner;
    this.#wake = wake;
  }

  /** Nothing was queued a moment ago, and no message has been announced since. */
  get isEmpty(): boolean {
    return this.#rt.clock.monotonic() < this.#emptyUntilMs;
  }

  /** Something may be queued now. */
  stir(): void {
    this.#stirs += 1;
    this.#emptyUntilMs = Number.NEGATIVE_INFINITY;
  }

  /** Wakes the lanes that have work due. A call that comes too early after a long or an empty look does nothing. */
  async run(): Promise<void> {
    const { clock } = this.#rt;
    const startedMs = clock.monotonic();
    if (startedMs < this.#restUntilMs || this.isEmpty) return;
    const stirs = this.#stirs;
    const { lanes, isQueueEmpty } = await findDueLanes(this.#db, this.#owner, clock.now());
    for (const lane of lanes) this.#wake(laneKey(lane));
    const endedMs = clock.monotonic();
    this.#restUntilMs = endedMs + Math.min(MAX_REST_MS, REST_MULTIPLE * (endedMs - startedMs));
    // A message that was announced during the look may have come too late for it.
    if (isQueueEmpty && stirs === this.#stirs) this.#emptyUntilMs = endedMs + EMPTY_MS;
  }
}
