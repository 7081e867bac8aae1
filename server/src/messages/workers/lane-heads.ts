import type { DispatcherId } from '#core/ids';
import type { Database } from '#database/database';
import type { NumberLaneKey } from '#messages/store/leases';
import { type Candidate, findCandidates, type HeadsFrom } from '#messages/store/send-queue';
import type { Runtime } from '#runtime/runtime';
import { laneKey } from './lane-key.ts';

/** No statement that queues a message lasts longer, so that one which commits late lies within it. */
export const MARGIN_MS = 15_000;
/** At most so late a row is found that was queued with a due time before the margin, which happens only by hand. */
export const FULL_READ_MS = 5_000;

type Lane = Omit<NumberLaneKey, 'epoch'>;

interface Bounds {
  fromMs: HeadsFrom;
  /** The earliest due time that was put back since the look began. */
  putBackMs: number;
  /** Monotonic: from then on the next look is a full one. */
  readonly fullAtMs: number;
}

const FROM_START: HeadsFrom = [0, 0, 0];
const NEVER = Number.POSITIVE_INFINITY;

/**
 * Finds the heads of lanes, and remembers for busy lanes where they begin: what has left stays in the index while any
 * session holds a snapshot, and a read from the start scans all of it. Each lane is read from the start every few
 * seconds, when it has just become ours, and after a read that found nothing in it.
 */
export class LaneHeads {
  readonly #rt: Runtime;
  readonly #db: Pick<Database, 'run'>;
  readonly #owner: DispatcherId;
  readonly #bounds = new Map<string, Bounds>();

  constructor(rt: Runtime, db: Pick<Database, 'run'>, owner: DispatcherId) {
    this.#rt = rt;
    this.#db = db;
    this.#owner = owner;
  }

  /** Ready messages that are due, at most `limit` per lane and priority, the oldest first within each. One look at a time. */
  async find(lanes: readonly Lane[], limit: number): Promise<readonly Candidate[]> {
    const nowMs = this.#rt.clock.now();
    const bounded = lanes.map((lane) => ({ ...lane, fromMs: this.#begin(laneKey(lane)) }));
    const found = await findCandidates(this.#db, { owner: this.#owner, lanes: bounded, nowMs, limit });
    const firstMs = new Map<string, [number, number, number]>();
    for (const head of found) {
      const key = laneKey(head);
      const first = firstMs.get(key) ?? [nowMs, nowMs, nowMs];
      first[head.priority] = Math.min(first[head.priority] ?? nowMs, head.dueMs);
      firstMs.set(key, first);
    }
    for (const lane of lanes) this.#learn(laneKey(lane), firstMs.get(laneKey(lane)) ?? null);
    return found;
  }

  /** A message that was taken up may be in the queue again, with the due time that it had. */
  mayBeBack(message: Lane & { readonly dueMs: number }): void {
    const known = this.#bounds.get(laneKey(message));
    if (known === undefined) return;
    known.putBackMs = Math.min(known.putBackMs, message.dueMs);
    known.fromMs = atMost(known.fromMs, message.dueMs);
  }

  /** What is remembered of lanes counts no more: they are another's, or have been. */
  forget(keys: Iterable<string>): void {
    for (const key of keys) this.#bounds.delete(key);
  }

  /** @returns null for a read from the start */
  #begin(key: string): HeadsFrom | null {
    const monoMs = this.#rt.clock.monotonic();
    const known = this.#bounds.get(key);
    if (known !== undefined && monoMs < known.fullAtMs) {
      known.putBackMs = NEVER;
      return known.fromMs;
    }
    this.#bounds.set(key, { fromMs: FROM_START, putBackMs: NEVER, fullAtMs: monoMs + FULL_READ_MS });
    return null;
  }

  /**
   * @param firstMs due times of the heads, of a priority without heads the time of the read; null: the lane is empty
   */
  #learn(key: string, firstMs: HeadsFrom | null): void {
    const known = this.#bounds.get(key);
    if (known === undefined) return;
    // Nothing was found: it may be paused in the database, which says nothing about what waits.
    if (firstMs === null) this.#bounds.delete(key);
    else
      known.fromMs = atMost([firstMs[0] - MARGIN_MS, firstMs[1] - MARGIN_MS, firstMs[2] - MARGIN_MS], known.putBackMs);
  }
}

function atMost([high, normal, bulk]: HeadsFrom, ms: number): HeadsFrom {
  return [Math.min(high, ms), Math.min(normal, ms), Math.min(bulk, ms)];
}
