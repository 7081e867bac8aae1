import { PRIORITY_WEIGHTS } from '#core/priority-weights';
import { PairLimiter } from './pair-limiter.ts';
import { TokenBucket } from './token-bucket.ts';

/** A piece of work that waits in a lane. `group` is what must stay in order and has its own limit: the recipient. */
export interface LaneItem {
  readonly id: string;
  /** 0 high, 1 normal, 2 bulk. */
  readonly priority: number;
  readonly group: string;
  readonly expiresMs: number;
  /** Its turn in the group's limit is already paid for. */
  readonly paid: boolean;
}

/** What becomes of the head of a lane. */
export type Verdict<Item> =
  | { readonly kind: 'go'; readonly item: Item }
  | { readonly kind: 'expired'; readonly item: Item }
  /** Its group has had enough: it steps aside until `dueMs`, which is reserved for it. */
  | { readonly kind: 'defer'; readonly item: Item; readonly dueMs: number }
  /** Nothing more can leave this lane now. */
  | { readonly kind: 'stop' };

export interface LaneLimits {
  /** Items per second; 0: no limit. */
  readonly ratePerSecond: number;
  readonly pairLimit: boolean;
}

/** Two clocks, read once per step: wall time for what is stored, monotonic for rates. */
export interface LaneMoment {
  readonly wallMs: number;
  readonly monoMs: number;
}

const TOTAL_WEIGHT = 21;

/**
 * The limits and the fairness of one lane; exact because the lane has one owner. Holds no queue: heads are offered
 * again at each step.
 */
export class Lane<Item extends LaneItem> {
  readonly tokens: TokenBucket;
  readonly pairs: PairLimiter;
  /** Groups with an item in flight: the next one waits, which keeps their order. */
  readonly #busy = new Map<string, number>();
  #heads: Item[][] = [[], [], []];
  #credits = [0, 0, 0];
  #restUntilMs = Number.NEGATIVE_INFINITY;
  /** Whether an item may wait that can use the reserve: until the next look, or as the last look found. */
  #highMayWait = true;
  /** Items between claim and settlement. */
  inFlight = 0;

  /** As configured; `tokens` knows what the network currently allows. */
  ratePerSecond: number;

  constructor(limits: LaneLimits, now: LaneMoment, startEmpty: boolean) {
    this.ratePerSecond = limits.ratePerSecond;
    this.tokens = new TokenBucket({ ratePerSecond: limits.ratePerSecond, now: now.monoMs, startEmpty });
    this.pairs = new PairLimiter({ enabled: limits.pairLimit });
  }

  /** Puts the heads of the queue, oldest first within each priority; what was offered before is forgotten. */
  offer(items: readonly Item[]): void {
    this.#heads = [[], [], []];
    for (const item of items) this.#heads[item.priority]?.push(item);
    this.#highMayWait = (this.#heads[0]?.length ?? 0) > 0;
    // Taken from the end, so the oldest must be last.
    for (const heads of this.#heads) heads.reverse();
  }

  configure(ratePerSecond: number, now: LaneMoment): void {
    this.ratePerSecond = ratePerSecond;
    this.tokens.configure(ratePerSecond, now.monoMs);
  }

  /** No item leaves before `monoMs`: the network asked for it. */
  rest(monoMs: number): void {
    this.#restUntilMs = Math.max(this.#restUntilMs, monoMs);
  }

  /** Something arrived that has not been read yet: it may have high priority. */
  expectHigh(): void {
    this.#highMayWait = true;
  }

  /** How many items the rate lets leave now; the next step asks for that many. */
  capacity(now: LaneMoment): number {
    return now.monoMs < this.#restUntilMs ? 0 : this.tokens.available(now.monoMs, this.#highMayWait);
  }

  /** Milliseconds until an item could leave; 0: now. */
  msUntilReady(now: LaneMoment): number {
    const rest = Math.max(0, this.#restUntilMs - now.monoMs);
    return Math.max(rest, this.tokens.msUntilAvailable(now.monoMs, this.#highMayWait));
  }

  /** Decides about the next head. Each call takes one off, until `stop`. */
  next(now: LaneMoment): Verdict<Item> {
    for (let priority = this.#pick(now); priority !== null; priority = this.#pick(now)) {
      const item = this.#heads[priority]?.pop();
      if (item === undefined || this.#busy.has(item.group)) continue;
      if (item.expiresMs <= now.wallMs) {
        this.#started(item.group);
        return { kind: 'expired', item };
      }
      if (!item.paid) {
        const turnMs = this.pairs.reserve(item.group, now.wallMs);
        if (turnMs > now.wallMs) return { kind: 'defer', item, dueMs: turnMs };
      }
      this.tokens.tryTake(now.monoMs, item.priority === 0);
      this.#spend(priority);
      this.#started(item.group);
      return { kind: 'go', item };
    }
    return { kind: 'stop' };
  }

  /** From the decision on its group is busy, so that two of one round keep their order. */
  #started(group: string): void {
    this.inFlight += 1;
    this.#busy.set(group, (this.#busy.get(group) ?? 0) + 1);
  }

  /** An item that `next` let go, or called expired, is settled or was not there any more. */
  ended(group: string): void {
    this.inFlight -= 1;
    const left = (this.#busy.get(group) ?? 1) - 1;
    if (left > 0) this.#busy.set(group, left);
    else this.#busy.delete(group);
  }

  /** The class whose turn it is among those with heads and a token: smooth weighted round robin. */
  #pick(now: LaneMoment): number | null {
    const forHigh = this.tokens.available(now.monoMs, true) >= 1;
    if (!forHigh || now.monoMs < this.#restUntilMs) return null;
    const forAll = this.tokens.available(now.monoMs, false) >= 1;
    let best: number | null = null;
    for (let priority = 0; priority < this.#heads.length; priority += 1) {
      const waits = (this.#heads[priority]?.length ?? 0) > 0 && (priority === 0 || forAll);
      if (!waits) continue;
      if (best === null || this.#credit(priority) > this.#credit(best)) best = priority;
    }
    return best;
  }

  #credit(priority: number): number {
    return (this.#credits[priority] ?? 0) + (PRIORITY_WEIGHTS[priority] ?? 0);
  }

  /**
   * Classes that wait earn their weight, the one that was served pays for all; a class without work saves nothing up.
   */
  #spend(priority: number): void {
    this.#credits = this.#credits.map((credit, index) => {
      if (index === priority) return credit + (PRIORITY_WEIGHTS[index] ?? 0) - TOTAL_WEIGHT;
      return (this.#heads[index]?.length ?? 0) > 0
        ? Math.min(credit + (PRIORITY_WEIGHTS[index] ?? 0), TOTAL_WEIGHT)
        : 0;
    });
  }
}
