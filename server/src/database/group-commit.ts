import { ApiProblem } from '#core/errors';
import type { Clock } from '#runtime/clock';
import { StorageUnavailable } from './database.ts';
import { faultKind, isLockTimeout } from './pg-errors.ts';

export interface GroupCommitOptions<Item, Result> {
  readonly name: string;
  /** Rows per statement. More gain nothing (measured) and lengthen the wait of the first one. */
  readonly maxBatch: number;
  /** Items waiting in memory; beyond it `add` refuses at once. */
  readonly maxQueued: number;
  /** Needed by those who ask `isBacklogged`, and to tell callers who come back from a stream of others. */
  readonly clock?: Pick<Clock, 'monotonic'>;
  /** Statements in flight at once. Two keep the database busy while the process prepares the next. */
  readonly maxInFlight: number;
  /**
   * After a statement the next one leaves when this many rows wait or `gatherMs` have passed: each costs the same fixed
   * part, whatever it carries. Absent: at once. The first of a quiet time is never delayed.
   */
  readonly minBatch?: number;
  /**
   * Whether those who were answered are likely to come back at once: then fewer than `minBatch` leave as soon as there are as many
   * as the statement carried and waited beside it. When as many come, but not at once, they are others: a stream, which
   * gathers for its whole time. One caller alone is never delayed.
   */
  readonly callersReturn?: boolean;
  /** How long rows wait for company after a statement that carried so many; 1 when absent, the shortest that Node's timers have. */
  readonly gatherMs?: number | ((carried: number) => number);
  /** When a row is locked by somebody else, the items of each tenant are written alone, once: a lock costs its tenant only. */
  readonly tenantOf?: (item: Item) => string;
  /** Told of an item that was refused for a lock, in a batch of its tenant alone. */
  readonly onLocked?: (item: Item) => void;
  /**
   * Writes items of tenants of which nothing is in flight when none of the statements has ended for `hangingMs` (250): they may
   * wait for a row that somebody holds, and everybody else must not. Needs `tenantOf`. Absent: who comes then waits.
   */
  readonly writeAside?: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly hangingMs?: number;
  /** What an item adds to its batch, which ends before the first one that comes after `maxWeight`. Absent: `maxBatch` alone counts. */
  readonly weightOf?: (item: Item) => number;
  readonly maxWeight?: number;
  /** Whether the items of a batch that failed are tried in smaller ones. Absent: when the database says that a row is at fault. */
  readonly splits?: (error: unknown) => boolean;
  /** Writes all items in one transaction and returns their results in the same order. */
  readonly write: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly onBatch?: (rows: number) => void;
  readonly onFailure?: (error: unknown, rows: number) => void;
}

type Write<Item, Result> = GroupCommitOptions<Item, Result>['write'];

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
  /** Written, or refused. */
  isOver: boolean;
}

const GATHER_MS = 1;
/** Who comes this long after an answer is not somebody who comes back. */
const AT_ONCE_MS = 2;
/** Many times what a statement takes in calm, and little beside the wait for a lock. */
const HANGING_MS = 250;
/** Statements aside of those that hang. */
const MAX_ASIDE = 2;
/** What has waited for less than this is a burst, which the next statements take: as long as the interval of CoDel. */
const BURST_MS = 100;

function isOfRow(error: unknown): boolean {
  return faultKind(error) === 'row' && !(error instanceof StorageUnavailable);
}

/** Largest batch that is useful on both databases (measured: 68,000 rows/s at 100, 82,000 at 500 on PGlite). */
export const MAX_BATCH_ROWS = 500;

/**
 * Group commit: work that arrives while a statement is in flight leaves together in the next one.
 *
 * `add` settles once its row is committed. It rejects with the row's own error when the row is at fault: the batch
 * is split in halves until such a row stands alone, so that it fails nobody else. It rejects with StorageUnavailable
 * when the outcome is unknown or the database is away, and with ApiProblem `overloaded` when too much waits.
 */
export class GroupCommit<Item, Result> {
  readonly #options: GroupCommitOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  #inFlight = 0;
  #scheduled = false;
  #gathering: NodeJS.Timeout | undefined;
  /** As many as are likely to come back, and when they were answered. */
  #expected = 1;
  #answeredMs = 0;
  #idle: (() => void)[] = [];
  /** What the statements carry that are in flight. */
  readonly #carried = new Set<readonly Waiting<Item, Result>[]>();
  #aside = 0;
  /** Set while items wait because all statements that are allowed are in flight. */
  #patience: NodeJS.Timeout | undefined;
  #hangs = false;
  /** Since when no statement has left nothing behind, once more waited than the next ones take; null: none is behind. */
  #behindSinceMs: number | null = null;

  constructor(options: GroupCommitOptions<Item, Result>) {
    this.#options = options;
  }

  /** Items that wait or are being written. */
  get pending(): number {
    return this.#waiting.length + this.#inFlight + this.#aside;
  }

  /** Whether the statements in flight have not ended for long: only items of tenants of which they carry nothing leave. */
  get isHanging(): boolean {
    return this.#hangs;
  }

  /**
   * Whether more waits than the next statements take, and that not only for a moment: whoever comes now would wait for
   * others that have not even begun. `add` takes it nevertheless, until the queue is full.
   */
  get isBacklogged(): boolean {
    return this.#behindSinceMs !== null && this.#isOverfull() && this.#nowMs() - this.#behindSinceMs >= BURST_MS;
  }

  add(item: Item): Promise<Result> {
    if (this.#waiting.length >= this.#options.maxQueued) return Promise.reject(new ApiProblem('overloaded'));
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject, isOver: false });
      if (this.#isOverfull()) this.#behindSinceMs ??= this.#nowMs();
      this.#schedule();
    });
  }

  /** Hands what waits here of a tenant to another group, which writes it, and refuses what exceeds that one's queue. */
  handOver(tenant: string, to: GroupCommit<Item, Result>): void {
    const { tenantOf = () => '' } = this.#options;
    const isOf = ({ item }: Waiting<Item, Result>) => tenantOf(item) === tenant;
    const handed = this.#waiting.filter(isOf);
    this.#keep((waiting) => !isOf(waiting));
    const room = Math.max(0, to.#options.maxQueued - to.#waiting.length);
    to.#waiting.push(...handed.slice(0, room));
    for (const waiting of handed.slice(room)) waiting.reject(new ApiProblem('overloaded'));
    to.#schedule();
  }

  /** Only these wait on; when none does, nothing is behind. */
  #keep(isKept: (waiting: Waiting<Item, Result>) => boolean): void {
    this.#waiting = this.#waiting.filter(isKept);
    if (this.#waiting.length === 0) this.#behindSinceMs = null;
  }

  #isOverfull(): boolean {
    return this.#waiting.length >= this.#options.maxBatch * this.#options.maxInFlight;
  }

  #nowMs(): number {
    return this.#options.clock?.monotonic() ?? 0;
  }

  /** Resolves when everything added so far is settled. */
  async drain(): Promise<void> {
    while (this.pending > 0) {
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
  }

  /** Waits for the end of the event-loop turn: requests read in the same turn share a statement. */
  #schedule(): void {
    if (this.#scheduled) return;
    if (this.#inFlight >= this.#options.maxInFlight && !this.#hangs) {
      this.#watch();
      return;
    }
    if (this.#gathering !== undefined && !this.#isEnough()) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  /** While a statement runs, who comes does not leave beside it for having found it on its way. */
  #beginGathering(carried: number): void {
    this.#expected = Number.POSITIVE_INFINITY;
    this.#gather(carried);
  }

  /** After a statement: its callers come back soon, and leave together. */
  #gather(carried: number): void {
    const { gatherMs = GATHER_MS } = this.#options;
    clearTimeout(this.#gathering);
    this.#gathering = setTimeout(
      () => {
        this.#gathering = undefined;
        this.#flush();
      },
      typeof gatherMs === 'number' ? gatherMs : gatherMs(carried),
    );
  }

  /** Before the answers to so many rows: who comes back at once is one of them. */
  #expect(rows: number): void {
    this.#expected = rows + this.#waiting.length;
    this.#answeredMs = this.#nowMs();
  }

  /** Whether those who wait need not gather any longer. */
  #isEnough(): boolean {
    const { minBatch = 1, callersReturn = false } = this.#options;
    const waiting = this.#waiting.length;
    if (waiting >= minBatch) return true;
    if (!callersReturn || waiting < this.#expected) return false;
    return this.#expected === 1 || this.#nowMs() - this.#answeredMs <= AT_ONCE_MS;
  }

  #flush(): void {
    const { maxInFlight, write } = this.#options;
    while (this.#waiting.length > 0 && this.#inFlight < maxInFlight) {
      const batch = this.#waiting.splice(0, this.#fitting(this.#waiting));
      if (this.#waiting.length === 0) this.#behindSinceMs = null;
      this.#inFlight += 1;
      this.#carried.add(batch);
      if (this.#options.minBatch !== undefined) this.#beginGathering(batch.length);
      void this.#write(batch, write).finally(() => {
        this.#inFlight -= 1;
        this.#carried.delete(batch);
        this.#calm();
        if (this.#options.minBatch !== undefined) this.#gather(batch.length);
        this.#afterStatement();
      });
    }
    if (this.#hangs) this.#flushAside();
    else if (this.#waiting.length > 0) this.#watch();
  }

  /** How many of these one statement takes. */
  #fitting(waiting: readonly Waiting<Item, Result>[]): number {
    const { maxBatch, weightOf, maxWeight = Number.POSITIVE_INFINITY } = this.#options;
    if (weightOf === undefined) return maxBatch;
    let weight = 0;
    const first = waiting.slice(0, maxBatch).findIndex(({ item }) => {
      if (weight >= maxWeight) return true;
      weight += weightOf(item);
      return false;
    });
    return first === -1 ? maxBatch : first;
  }

  #afterStatement(): void {
    if (this.#waiting.length > 0) this.#schedule();
    else if (this.pending === 0) for (const wake of this.#idle.splice(0)) wake();
  }

  /** Who waits for a statement to end does so for a while only. */
  #watch(): void {
    if (this.#options.writeAside === undefined || this.#patience !== undefined) return;
    this.#patience = setTimeout(() => {
      this.#hangs = true;
      this.#flushAside();
    }, this.#options.hangingMs ?? HANGING_MS);
  }

  #calm(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    this.#hangs = false;
  }

  /** Lets those go whose tenants have nothing in the statements that hang. */
  #flushAside(): void {
    const { tenantOf = () => '', writeAside } = this.#options;
    if (writeAside === undefined || this.#aside >= MAX_ASIDE) return;
    const carried = [...this.#carried].flat().filter(({ isOver }) => !isOver);
    const held = new Set(carried.map(({ item }) => tenantOf(item)));
    const free = this.#waiting.filter(({ item }) => !held.has(tenantOf(item)));
    if (free.length === 0) return;
    const batch = free.slice(0, this.#fitting(free));
    const leaving = new Set(batch);
    this.#keep((waiting) => !leaving.has(waiting));
    this.#aside += 1;
    this.#carried.add(batch);
    void this.#write(batch, writeAside).finally(() => {
      this.#aside -= 1;
      this.#carried.delete(batch);
      this.#afterStatement();
    });
  }

  async #write(batch: readonly Waiting<Item, Result>[], write: Write<Item, Result>): Promise<void> {
    try {
      const results = await write(batch.map((waiting) => waiting.item));
      this.#options.onBatch?.(batch.length);
      this.#expect(batch.length);
      batch.forEach((waiting, index) => {
        waiting.isOver = true;
        waiting.resolve(results[index] as Result);
      });
    } catch (error) {
      await this.#afterFailure(batch, write, error);
    }
  }

  /** @returns false when they are all of one tenant: nothing was done */
  async #writeByTenant(batch: readonly Waiting<Item, Result>[], write: Write<Item, Result>): Promise<boolean> {
    const { tenantOf = () => '', onLocked = () => undefined } = this.#options;
    const tenants = new Map<string, Waiting<Item, Result>[]>();
    for (const waiting of batch) {
      const own = tenants.get(tenantOf(waiting.item));
      if (own === undefined) tenants.set(tenantOf(waiting.item), [waiting]);
      else own.push(waiting);
    }
    const [first] = batch;
    if (tenants.size === 1 && first !== undefined) onLocked(first.item);
    if (tenants.size <= 1) return false;
    await Promise.all([...tenants.values()].map((own) => this.#write(own, write)));
    return true;
  }

  async #afterFailure(
    batch: readonly Waiting<Item, Result>[],
    write: Write<Item, Result>,
    error: unknown,
  ): Promise<void> {
    this.#options.onFailure?.(error, batch.length);
    if (isLockTimeout(error) && (await this.#writeByTenant(batch, write))) return;
    const { splits = isOfRow } = this.#options;
    // Each half would wait for the lock again.
    if (batch.length === 1 || isLockTimeout(error) || !splits(error)) {
      this.#expect(batch.length);
      for (const waiting of batch) {
        waiting.isOver = true;
        waiting.reject(error);
      }
      return;
    }
    const middle = batch.length >> 1;
    await this.#write(batch.slice(0, middle), write);
    await this.#write(batch.slice(middle), write);
  }
}

/** Questions that wait for a statement; beyond it they are refused as `overloaded`. */
const MAX_QUESTIONS = 10_000;

/**
 * Questions that share a statement: those that come while others are answered leave together in the next one. Alone, a question waits for
 * nobody. What a process asks for each of thousands of tenants every second then costs a few statements instead of thousands.
 * @param name of the group, for logs
 * @param read answers questions in their order; each must be quick, since all of them wait for the slowest
 */
export function groupedReads<Question, Answer>(
  name: string,
  read: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  const group = new GroupCommit<Question, Answer>({
    name,
    maxBatch: MAX_BATCH_ROWS,
    maxQueued: MAX_QUESTIONS,
    maxInFlight: 2,
    write: read,
  });
  return (question) => group.add(question);
}
