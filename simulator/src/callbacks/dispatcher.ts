import type { AccountRegistry } from '../accounts/account-registry.ts';
import type { ChaosEngine } from '../chaos.ts';
import type { Clock } from '../clock.ts';
import type { Customers } from '../customers.ts';
import type { FigureBook } from '../figures/figure-book.ts';
import type { Settings } from '../settings.ts';
import type { Stats } from '../stats.ts';
import { renderBatch } from './envelope.ts';
import type { CallbackClient } from './post.ts';
import { TimeWheel } from './time-wheel.ts';
import { accountOf, type Batch, batchKey, newBatch, type Update } from './updates.ts';

const FIRST_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 10_000;
const GIVE_UP_AFTER_MS = 7 * 24 * 3600 * 1000;
// Failed posts that wait for their next try. Beyond it new updates stay in the queue, where they cost little.
const MAX_RETRYING = 1000;
// Posted batches at the front of the queue that are worth a copy of its rest.
const COMPACT_AFTER = 1024;

/** An update that has not left. */
export type Waiting = { readonly dueMs: number; readonly update: Update };

type Parts = {
  readonly clock: Clock;
  readonly customers: Customers;
  readonly chaos: ChaosEngine;
  readonly stats: Stats;
  readonly client: CallbackClient;
  readonly accounts: AccountRegistry;
  readonly figures: FigureBook;
  readonly settings: () => Settings;
};

/** Holds every callback until it is due, groups what is due, posts it and repeats what the receiver did not take. */
export class CallbackDispatcher {
  readonly #parts: Parts;
  readonly #waiting: TimeWheel<Update>;
  readonly #retries: TimeWheel<Batch>;
  #queue: Batch[] = [];
  #head = 0;
  readonly #open = new Map<string, Batch>();
  readonly #inFlight = new Set<Batch>();
  #generation = 0;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  /** `bucketMs`: the resolution of due times. */
  constructor(parts: Parts, bucketMs: number) {
    const nowMs = parts.clock.now();
    this.#parts = parts;
    this.#waiting = new TimeWheel(bucketMs, nowMs);
    this.#retries = new TimeWheel(bucketMs, nowMs);
  }

  /** Updates and posts that the receiver has not taken yet. */
  get pending(): number {
    return this.#waiting.size + this.#retries.size + (this.#queue.length - this.#head) + this.#inFlight.size;
  }

  /** What the receiver has not taken yet, with when it is due; those that are overdue or were tried come first. */
  waiting(): readonly Waiting[] {
    const nowMs = this.#parts.clock.now();
    const tried = [
      ...this.#inFlight,
      ...this.#queue.slice(this.#head),
      ...[...this.#retries.entries()].map(([, batch]) => batch),
    ];
    const due = tried.flatMap(({ updates }) => updates).map((update) => ({ dueMs: nowMs, update }));
    return [...due, ...[...this.#waiting.entries()].map(([dueMs, update]) => ({ dueMs, update }))];
  }

  /** Lets `update` leave at `dueMs` of the simulator's clock; nothing happens without a callback address. */
  schedule(dueMs: number, update: Update): void {
    if (this.#closed || this.#parts.settings().callbackUrl === null) return;
    this.#waiting.add(dueMs, update);
    this.#arm();
  }

  /** Posts `updates` now, as one callback; resolves when the first try is over. */
  postNow(updates: readonly Update[]): Promise<void> {
    const first = updates[0];
    if (first === undefined || this.#closed || this.#parts.settings().callbackUrl === null) return Promise.resolve();
    for (const update of updates) this.#count(update);
    const batch = newBatch(first);
    batch.updates.push(...updates.slice(1));
    return new Promise((resolve) => {
      batch.onTried = resolve;
      void this.#post(batch);
    });
  }

  /** Sends what is due. Called by the timer, and after moving the clock. */
  tick(): void {
    if (this.#closed) return;
    const nowMs = this.#parts.clock.now();
    this.#retries.drain(nowMs, (batch) => this.#queue.push(batch));
    this.#waiting.drain(nowMs, (update) => this.#enqueue(update));
    this.#pump();
    this.#arm();
  }

  /** Forgets all pending callbacks; posts under way are broken off and not repeated. */
  reset(): void {
    this.#generation++;
    const nowMs = this.#parts.clock.now();
    this.#waiting.clear(nowMs);
    this.#retries.clear(nowMs);
    this.#queue = [];
    this.#head = 0;
    this.#open.clear();
    this.#inFlight.clear();
    this.#parts.client.abort();
  }

  close(): void {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.reset();
    this.#parts.client.close();
  }

  #arm(): void {
    if (this.#timer !== null || this.#waiting.size + this.#retries.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.tick();
    }, this.#parts.settings().flushMs);
  }

  /** What is reported has happened, whoever hears of it. */
  #count(update: Update): void {
    if (update.kind === 'statuses') this.#parts.figures.reported(update.message, update.step.status, update.atMs);
  }

  #enqueue(update: Update): void {
    this.#count(update);
    // Nobody has subscribed to this account.
    if (this.#parts.accounts.isSilent(accountOf(update))) return;
    if (update.kind === 'account') {
      // The network reports these one by one.
      if (update.holds()) this.#queue.push(newBatch(update));
      return;
    }
    const key = batchKey(update);
    const open = this.#open.get(key);
    if (open !== undefined && open.updates.length < this.#parts.settings().callbackBatchMax) {
      open.updates.push(update);
      return;
    }
    const batch = newBatch(update);
    this.#open.set(key, batch);
    this.#queue.push(batch);
  }

  #pump(): void {
    const { callbackConnections } = this.#parts.settings();
    while (this.#inFlight.size < callbackConnections && this.#retries.size < MAX_RETRYING) {
      const batch = this.#next();
      if (batch === null) return;
      void this.#post(batch);
    }
  }

  #next(): Batch | null {
    const batch = this.#queue[this.#head];
    if (batch === undefined) {
      this.#queue = [];
      this.#head = 0;
      return null;
    }
    this.#head++;
    if (this.#head > COMPACT_AFTER && this.#head * 2 > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    if (this.#open.get(batch.key) === batch) this.#open.delete(batch.key);
    return batch;
  }

  async #post(batch: Batch): Promise<void> {
    const generation = this.#generation;
    const { callbackUrl, appSecret, callbackTimeoutMs, escapeSlashes } = this.#parts.settings();
    if (callbackUrl === null) return;
    this.#inFlight.add(batch);
    const body = renderBatch(batch, this.#parts.customers, escapeSlashes);
    const fault = this.#parts.chaos.drawCallback();
    if (fault?.fault === 'delay') await this.#parts.chaos.pause(fault);
    if (generation !== this.#generation) return;
    const request = { url: callbackUrl, body, appSecret, timeoutMs: callbackTimeoutMs, cut: fault?.fault === 'cut' };
    const status = await this.#parts.client.post(request);
    if (fault?.fault === 'duplicate') {
      if (fault.delayMs !== undefined) await this.#parts.chaos.pause(fault);
      if (generation === this.#generation) await this.#parts.client.post(request);
    }
    this.#settle(batch, status, generation);
  }

  #settle(batch: Batch, status: number, generation: number): void {
    batch.onTried?.();
    batch.onTried = null;
    if (generation !== this.#generation) return;
    this.#inFlight.delete(batch);
    if (status === 200) this.#parts.stats.callbackTaken(batch.kind, batch.updates.length);
    else this.#retryLater(batch);
    this.#pump();
  }

  #retryLater(batch: Batch): void {
    const nowMs = this.#parts.clock.now();
    this.#parts.stats.callbackFailed();
    if (batch.attempts === 0) batch.firstTriedMs = nowMs;
    batch.attempts++;
    if (nowMs - batch.firstTriedMs > GIVE_UP_AFTER_MS) {
      this.#parts.stats.callbackDropped();
      return;
    }
    this.#retries.add(nowMs + backoffMs(batch.attempts), batch);
    this.#arm();
  }
}

/** Wait before the next try after `attempts` failures: none at first, then 0.2 s doubling to 10 s. */
export function backoffMs(attempts: number): number {
  return attempts <= 1 ? 0 : Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(attempts - 2, 30));
}
