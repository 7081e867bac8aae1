import type { Clock } from '#runtime/clock';
import type { Log } from '#runtime/log';
import { preferredOwner } from './rendezvous-hash.ts';

/** A lane as the table of leases has it. `key` identifies it; `T` is the feature's own data of it. */
export interface LeaseRow<T> {
  readonly key: string;
  readonly ownerId: string | null;
  readonly epoch: number;
  readonly lane: T;
}

/** The lease table, handed in. Each call is one statement; taking a lane compares the epoch that was seen. */
export interface LeaseStore<T> {
  /** `count` never repeats in the life of a process: seeing the same one twice means that it stood still. */
  beat(count: number): Promise<void>;
  listOwners(): Promise<readonly { readonly id: string; readonly beat: number }[]>;
  removeOwner(id: string, beat: number | null): Promise<boolean>;
  /** The same array as before says that nothing has changed. */
  listLanes(): Promise<readonly LeaseRow<T>[]>;
  acquire(lanes: readonly LeaseRow<T>[]): Promise<ReadonlyMap<string, number>>;
  release(lanes: readonly { readonly key: string; readonly epoch: number; readonly lane: T }[]): Promise<void>;
}

export interface OwnedLane<T> {
  readonly key: string;
  readonly epoch: number;
  readonly lane: T;
}

/** How often a process writes its sign of life and reads those of the others. */
export const BEAT_MS = 1_000;
/** An owner whose beat stood still this long, by the observer's own monotonic clock, is dead or frozen. */
export const DEAD_MS = 6_000;
/**
 * An owner stops sending this long after its last beat began. Well before DEAD_MS: between the two no process sends, so
 * clocks need not agree, only run at about the same speed.
 */
export const SAFE_MS = 4_000;

interface OwnershipDeps<T> {
  readonly id: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly store: LeaseStore<T>;
  /** Called with lanes just taken, before anything of them is sent. */
  readonly onAcquired: (lanes: readonly OwnedLane<T>[]) => Promise<void>;
  /** True while something of the lane is in flight: it is given away only after. */
  readonly isBusy: (key: string) => boolean;
}

/**
 * Shares the lanes among the live processes: each lane wants one owner, chosen by rendezvous hashing, so that a change
 * of membership moves only the lanes it must. Leases are evaluated by watching a counter move, never by comparing
 * clocks.
 */
export class Ownership<T> {
  readonly #parts: OwnershipDeps<T>;
  readonly #seen = new Map<string, { beat: number; sinceMs: number }>();
  #owned: ReadonlyMap<string, OwnedLane<T>> = new Map();
  #leaving = new Set<string>();
  #beats = 0;
  /** Lanes and owners with which the last round had nothing left to do. */
  #settled: { readonly rows: readonly LeaseRow<T>[]; readonly owners: string } | null = null;
  #beatAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: OwnershipDeps<T>) {
    this.#parts = parts;
  }

  /** The lanes of this process. */
  get owned(): ReadonlyMap<string, OwnedLane<T>> {
    return this.#owned;
  }

  /** True while the lease is certainly ours: asked right before each byte leaves. */
  holds(key: string, epoch: number): boolean {
    return this.#parts.clock.monotonic() - this.#beatAtMs < SAFE_MS && this.#owned.get(key)?.epoch === epoch;
  }

  /** True when new work of the lane may start: ours, and not on its way to another owner. */
  mayClaim(key: string): boolean {
    const lane = this.#owned.get(key);
    return lane !== undefined && !this.#leaving.has(key) && this.holds(key, lane.epoch);
  }

  /** One round: beat, look, take, give. @throws the store's error; the next round repairs everything */
  async step(): Promise<void> {
    const { clock, store, id } = this.#parts;
    const startedMs = clock.monotonic();
    this.#beats += 1;
    await store.beat(this.#beats);
    // Silent for so long that others may have thought us dead: nothing is ours until it is taken under a new epoch.
    if (clock.monotonic() - this.#beatAtMs >= SAFE_MS) {
      this.#owned = new Map();
      this.#settled = null;
    }
    this.#beatAtMs = startedMs;
    // Lanes before owners: an owner that counts as dead was silent after the epochs were read, so that one that came
    // back and took its lanes again has other epochs by now.
    const rows = await store.listLanes();
    const before = this.#settled;
    this.#settled = null;
    const ours = rows === before?.rows ? [] : rows.filter((row) => row.ownerId === id);
    if (rows !== before?.rows) this.#refresh(ours);
    const live = await this.#liveOwners();
    const owners = [...live].sort().join();
    if (rows !== before?.rows || owners !== before.owners) {
      await this.#take(rows, live);
      await this.#give(rows, live);
    }
    // One of ours that is busy, or on its way to another owner, is checked again.
    const isDone = this.#leaving.size === 0 && ours.every((row) => this.#owned.has(row.key));
    if (isDone) this.#settled = { rows, owners };
  }

  /** Gives everything back. Call when nothing is in flight any more. */
  async leave(): Promise<void> {
    const { store, id } = this.#parts;
    const lanes = [...this.#owned.values()];
    this.#owned = new Map();
    if (lanes.length > 0) await store.release(lanes);
    await store.removeOwner(id, null);
  }

  async #liveOwners(): Promise<ReadonlySet<string>> {
    const { clock, store, id, log } = this.#parts;
    const live = new Set([id]);
    const owners = await store.listOwners();
    const nowMs = clock.monotonic();
    for (const owner of owners) {
      const before = this.#seen.get(owner.id);
      if (!before || before.beat !== owner.beat) this.#seen.set(owner.id, { beat: owner.beat, sinceMs: nowMs });
      const stillMs = nowMs - (this.#seen.get(owner.id)?.sinceMs ?? nowMs);
      if (owner.id === id || stillMs < DEAD_MS) {
        live.add(owner.id);
        continue;
      }
      log.warn({ owner: owner.id, stillMs: Math.round(stillMs) }, 'lanes.owner_dead');
      const removed = await store.removeOwner(owner.id, owner.beat);
      this.#seen.delete(owner.id);
      // It has moved since it was listed: alive after all.
      if (!removed) live.add(owner.id);
    }
    return live;
  }

  /** Drops what others have taken, and learns what is new about the rest. Only `#take` makes a lane ours. */
  #refresh(rows: readonly LeaseRow<T>[]): void {
    const kept = rows.filter((row) => this.#owned.get(row.key)?.epoch === row.epoch);
    this.#owned = new Map(kept.map((row) => [row.key, { key: row.key, epoch: row.epoch, lane: row.lane }]));
    for (const key of this.#leaving) if (!this.#owned.has(key)) this.#leaving.delete(key);
  }

  async #take(rows: readonly LeaseRow<T>[], live: ReadonlySet<string>): Promise<void> {
    const { store, onAcquired, log } = this.#parts;
    const wanted = rows.filter((row) => this.#wants(row, live));
    if (wanted.length === 0) return;
    const epochs = await store.acquire(wanted);
    const taken = wanted.flatMap((row) => {
      const epoch = epochs.get(row.key);
      return epoch === undefined ? [] : [{ key: row.key, epoch, lane: row.lane }];
    });
    if (taken.length === 0) return;
    log.info({ lanes: taken.length }, 'lanes.acquired');
    // What their last owner left in flight is settled before the lanes count as ours and anything new is sent.
    await onAcquired(taken);
    this.#owned = new Map([...this.#owned, ...taken.map((lane) => [lane.key, lane] as const)]);
  }

  /** Lanes without an owner that prefer us, and those that the table calls ours after our lease had lapsed. */
  #wants(row: LeaseRow<T>, live: ReadonlySet<string>): boolean {
    const { id, isBusy } = this.#parts;
    const free = row.ownerId === id ? !this.#owned.has(row.key) && !isBusy(row.key) : !live.has(row.ownerId ?? '');
    return free && preferredOwner(row.key, live) === id;
  }

  async #give(rows: readonly LeaseRow<T>[], live: ReadonlySet<string>): Promise<void> {
    const { store, id, isBusy, log } = this.#parts;
    const leaving = rows.filter((row) => row.ownerId === id && preferredOwner(row.key, live) !== id);
    this.#leaving = new Set(leaving.map((row) => row.key));
    const idle = leaving.filter((row) => !isBusy(row.key));
    if (idle.length === 0) return;
    const gone = new Set(idle.map((row) => row.key));
    // First no longer ours, then released: the next owner may have it before we learn that it was released.
    this.#owned = new Map([...this.#owned].filter(([key]) => !gone.has(key)));
    await store.release(idle);
    log.info({ lanes: idle.length }, 'lanes.released');
  }
}
