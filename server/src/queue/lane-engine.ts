import type { Clock } from '#runtime/clock';
import type { Log } from '#runtime/log';
import { Lane, type LaneItem, type LaneLimits, type LaneMoment } from './lane.ts';
import { type Contender, chooseItems, firstLanes, type LaneChoice } from './lane-choice.ts';
import { Shares } from './shares.ts';

/** Work of a lane. */
export interface EngineItem extends LaneItem {
  readonly laneKey: string;
}

export interface EngineLane {
  readonly key: string;
  readonly tenant: string;
  readonly limits: LaneLimits;
  /** False while the lane is paused or on its way to another owner. */
  readonly open: boolean;
}

/** What the engine needs of its domain. It knows lanes, limits and slots; what an item is, it does not know. */
export interface EngineWork<Item extends EngineItem, Claimed> {
  /** Ready items at the head of these lanes, at most `limit` per lane and priority, oldest first. */
  find(laneKeys: readonly string[], limit: number): Promise<readonly Item[]>;
  /** Marks items durably as being worked on; returns those that were still there. */
  claim(items: readonly Item[]): Promise<readonly Claimed[]>;
  /** The claim failed and may have taken effect: makes these items ready again. Never rejects. */
  unclaim(items: readonly Item[]): Promise<void>;
  /** Items step aside until their reserved turn. */
  defer(items: LaneChoice<Item>['deferred']): Promise<void>;
  /** The `id` of the item that was claimed. */
  keyOf(claimed: Claimed): string;
  /** Does the work and settles it. Never rejects. */
  run(claimed: Claimed, expired: boolean): Promise<void>;
}

/** The candidates that a read found, by lane. */
interface Offer<Item> {
  readonly offered: ReadonlyMap<string, readonly Item[]>;
  /** How many were asked for, per lane and priority. */
  readonly limit: number;
}

interface EngineDeps<Item extends EngineItem, Claimed> {
  readonly clock: Clock;
  readonly log: Log;
  readonly work: EngineWork<Item, Claimed>;
  /** A lane of this process by its key; null when it is not ours. */
  readonly laneOf: (key: string) => EngineLane | null;
  /** Items between claim and settlement, over all lanes: what a crash leaves in doubt. */
  readonly maxInFlight: number;
}

/** Heads asked for per lane and priority: one statement's worth. */
const MAX_HEADS = 500;
/**
 * Lanes read in one statement: what thousands have waiting cannot leave at the same time, and a read costs by the lane.
 */
export const MAX_LANES = 500;
/** Heads beyond the capacity, so that items whose group is busy do not hide those behind them. */
const SPARE_HEADS = 16;
/**
 * Steps that move little follow each other at this pace: each costs two statements, however little it moves. The first
 * step after a pause is not delayed.
 */
export const PACE_MS = 25;
/** A step that moved this much may be followed immediately. */
const FULL_STEP = 200;
/** Pause after a failed step (database away). */
const FAILURE_PAUSE_MS = 250;

/**
 * Moves items of many lanes through find → choose → claim → run, within the limits of each lane and its share of a common
 * number of places. The loop (`wake`) and the step (`runOnce`) are separate.
 */
export class LaneEngine<Item extends EngineItem, Claimed> {
  readonly #parts: EngineDeps<Item, Claimed>;
  readonly #lanes = new Map<string, Lane<Item>>();
  /** Keys of lanes in which work may wait. */
  readonly #pending = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  /** Places in flight: a lane that holds its share waits, without delaying others. */
  readonly #shares: Shares;
  #looping = false;
  /** Ends with the step under way: a claim in flight still yields work. */
  #loopEnd: Promise<void> = Promise.resolve();
  #endPause: () => void = () => undefined;
  #woken = false;
  #stopped = false;
  #round = 0;
  #cancelTimer: () => void = () => undefined;

  constructor(parts: EngineDeps<Item, Claimed>) {
    this.#parts = parts;
    this.#shares = new Shares(parts.maxInFlight, parts.clock);
  }

  get inFlight(): number {
    return this.#shares.held;
  }

  /** The limiter of a lane, for what the network says about it. */
  lane(key: string): Lane<Item> | undefined {
    return this.#lanes.get(key);
  }

  isBusy(key: string): boolean {
    return (this.#lanes.get(key)?.inFlight ?? 0) > 0;
  }

  /** Work may wait in this lane. */
  wake(key: string): void {
    this.#pending.add(key);
    this.#lanes.get(key)?.expectHigh();
    this.#kick();
  }

  /** Stops taking work; resolves when everything in flight is settled. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelTimer();
    this.#endPause();
    await this.#loopEnd;
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** One step. @returns how many items it moved: started, or set aside */
  async runOnce(): Promise<number> {
    const now = this.#now();
    const contenders = this.#shares.free > 0 ? this.#contenders(now) : [];
    if (contenders.length === 0) return 0;
    const { offered, limit } = await this.#offer(contenders, now);
    const choice = chooseItems(contenders, this.#shares, this.#now(), this.#round++);
    this.#keepPending(offered, limit, choice);
    const [started] = await Promise.all([this.#claim(choice), this.#defer(choice)]);
    return started + choice.deferred.length;
  }

  #now(): LaneMoment {
    return { wallMs: this.#parts.clock.now(), monoMs: this.#parts.clock.monotonic() };
  }

  /** Open lanes with pending work whose turn it is to be read. Lanes that went to another owner are forgotten. */
  #contenders(now: LaneMoment): readonly Contender<Item>[] {
    const contenders: Contender<Item>[] = [];
    for (const key of this.#pending) {
      const spec = this.#parts.laneOf(key);
      if (spec === null) this.#forget(key);
      else if (spec.open) {
        const lane = this.#laneOf(spec, now);
        const contender = { key, tenant: spec.tenant, lane };
        if (lane.capacity(now) >= 1 && this.#shares.mayTake(contender)) contenders.push(contender);
      }
    }
    return firstLanes(contenders, MAX_LANES);
  }

  #forget(key: string): void {
    this.#pending.delete(key);
    if (!this.isBusy(key)) this.#lanes.delete(key);
  }

  #laneOf(spec: EngineLane, now: LaneMoment): Lane<Item> {
    const known = this.#lanes.get(spec.key);
    if (known) {
      if (known.ratePerSecond !== spec.limits.ratePerSecond) known.configure(spec.limits.ratePerSecond, now);
      return known;
    }
    // Empty: the last owner may just have used up the burst.
    const lane = new Lane<Item>(spec.limits, now, true);
    this.#lanes.set(spec.key, lane);
    return lane;
  }

  async #offer(contenders: readonly Contender<Item>[], now: LaneMoment): Promise<Offer<Item>> {
    const capacity = Math.max(...contenders.map(({ lane }) => lane.capacity(now)));
    const limit = Math.min(MAX_HEADS, Math.min(this.#shares.free, capacity) + SPARE_HEADS);
    const keys = contenders.map(({ key }) => key);
    // Before the read: what arrives while it runs marks the lane as pending again.
    for (const key of keys) this.#pending.delete(key);
    const offered = new Map<string, Item[]>(keys.map((key) => [key, []]));
    try {
      for (const item of await this.#parts.work.find(keys, limit)) offered.get(item.laneKey)?.push(item);
    } catch (error) {
      for (const key of keys) this.#pending.add(key);
      throw error;
    }
    for (const { key, lane } of contenders) lane.offer(offered.get(key) ?? []);
    return { offered, limit };
  }

  /**
   * A lane with heads beyond those that were chosen is asked again, after the lanes that were not asked yet. One whose heads
   * were all chosen is not: what arrives wakes it.
   */
  #keepPending(offered: Offer<Item>['offered'], limit: number, { go, expired, deferred }: LaneChoice<Item>): void {
    const chosen = new Set([...go, ...expired, ...deferred.map(({ item }) => item)]);
    for (const [key, heads] of offered)
      if (heads.length >= limit || heads.some((item) => !chosen.has(item))) this.#pending.add(key);
  }

  async #defer(choice: LaneChoice<Item>): Promise<void> {
    if (choice.deferred.length > 0) await this.#parts.work.defer(choice.deferred);
  }

  async #claim(choice: LaneChoice<Item>): Promise<number> {
    const items = [...choice.go, ...choice.expired];
    if (items.length === 0) return 0;
    const expired = new Set(choice.expired.map((item) => item.id));
    try {
      const claimed = await this.#parts.work.claim(items);
      const byId = new Map(claimed.map((one) => [this.#parts.work.keyOf(one), one]));
      for (const item of items) {
        const one = byId.get(item.id);
        if (one === undefined) this.#end(item);
        else this.#track(this.#parts.work.run(one, expired.has(item.id)).finally(() => this.#end(item)));
      }
      return claimed.length;
    } catch (error) {
      for (const { laneKey } of items) this.#pending.add(laneKey);
      this.#track(this.#unclaim(items));
      throw error;
    }
  }

  async #unclaim(items: readonly Item[]): Promise<void> {
    await this.#parts.work.unclaim(items);
    for (const item of items) this.#end(item);
  }

  #track(running: Promise<void>): void {
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
  }

  #end(item: Item): void {
    this.#shares.release(item.id);
    this.#lanes.get(item.laneKey)?.ended(item.group);
    if (this.#pending.size > 0) this.#kick();
  }

  /** Runs steps until there is nothing to do; at most one at a time. */
  #kick(): void {
    this.#woken = true;
    if (this.#looping || this.#stopped) return;
    this.#looping = true;
    this.#loopEnd = this.#loop();
  }

  async #loop(): Promise<void> {
    // What else happens in this turn of the event loop shares the step.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (this.#woken && !this.#stopped) {
      this.#woken = false;
      const moved = await this.#safeStep();
      if (moved > 0) this.#woken = true;
      if (moved < FULL_STEP && this.#woken && !this.#stopped) await this.#pause(moved < 0 ? FAILURE_PAUSE_MS : PACE_MS);
    }
    this.#looping = false;
    this.#wakeForTokens();
  }

  /** @returns what the step moved; -1 when it failed, and is to be tried again */
  async #safeStep(): Promise<number> {
    try {
      return await this.runOnce();
    } catch (error) {
      this.#parts.log.warn({ error: (error as Error).message }, 'dispatch.step_failed');
      this.#woken = true;
      return -1;
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#parts.clock.after(ms, resolve);
      this.#endPause = () => {
        cancel();
        resolve();
      };
    });
  }

  /** Wakes when the first pending lane gets a token. */
  #wakeForTokens(): void {
    const now = this.#now();
    let soonest = Number.POSITIVE_INFINITY;
    for (const key of this.#pending) soonest = Math.min(soonest, this.#lanes.get(key)?.msUntilReady(now) ?? soonest);
    // At 0 it waits for a place or a busy group, whose end wakes; closed lanes are found by the poll.
    if (soonest <= 0 || soonest === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer();
    this.#cancelTimer = this.#parts.clock.after(Math.max(PACE_MS, soonest), () => this.#kick());
  }
}
