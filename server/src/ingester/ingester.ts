import { echoSecret } from '#core/echo';
import type { CallbackId } from '#core/ids';
import { applyCallbacks, type IngestParts, type ParsedCallback, parseCallback } from '#operations/apply-callbacks';
import { noteEveryMs, StatusNotes } from '#operations/callback-health';
import type { DispatchDatabase } from '#operations/dispatch-database';
import type { DueWork } from '#operations/due-work';
import { failCallback, findStaleCallbacks } from '#operations/fail-callback';
import type { OutcomeWatch } from '#operations/outcome-watch';
import { makeOwnerBook } from '#operations/owner-book';
import type { RecordedCallback } from '#operations/record-callback';
import { storeParked } from '#operations/store-statuses';
import { Loop } from '#queue/loop';
import type { Runtime } from '#runtime/runtime';

export interface Ingester {
  /** A callback was committed in this process: no need to read it back. */
  offer(callback: RecordedCallback): void;
  start(): void;
  stop(): Promise<void>;
}

/** Callbacks kept in memory; beyond it they are read back from the database. */
const MAX_INBOX = 5_000;
/** Items of one transaction: long enough to be cheap, short enough not to hold rows. */
const MAX_ITEMS = 2_000;
const MAX_CALLBACKS = 200;
/** A callback this old that nobody has ingested is looked for in the database. */
const STALE_MS = 1_000;
const POLL_MS = 500;
const FAILURE_PAUSE_MS = 250;
/**
 * After a batch the next one waits this long for company: each costs the same fixed part, and statuses of one message
 * that meet in a batch are one update instead of three. The first of a quiet time is never delayed.
 */
const GATHER_MS = 40;
/** So many callbacks wait for nobody. */
const COMPANY = 64;

export interface IngesterParts {
  readonly rt: Runtime;
  readonly db: DispatchDatabase;
  readonly due: DueWork;
  /** Key of the echoes; equal in every process. */
  readonly echoKey: string;
  /** Told of every message that a status was stored for. */
  readonly watch: OutcomeWatch;
}

/** Interprets recorded callbacks: from memory when this process recorded them, else from the database. */
export function makeIngester({ rt, db, due, echoKey, watch }: IngesterParts): Ingester {
  const parts = {
    rt,
    db,
    echoSecret: echoSecret(echoKey),
    owners: makeOwnerBook(rt, db),
    statusNotes: new StatusNotes(db),
  };
  return new CallbackIngester(parts, due, watch);
}

class CallbackIngester implements Ingester {
  readonly #parts: IngestParts;
  readonly #watch: OutcomeWatch;
  readonly #loops: readonly Loop[];
  #inbox: RecordedCallback[] = [];
  readonly #known = new Set<CallbackId>();
  /** Done since the last look into the database began: what it finds may be older than that. */
  #finished = new Set<CallbackId>();
  #running: Promise<void> | null = null;
  /** Ends the wait for company. */
  #leave: (() => void) | null = null;
  #quietAtMs = Number.NEGATIVE_INFINITY;
  #stopped = false;

  constructor(parts: IngestParts, due: DueWork, watch: OutcomeWatch) {
    this.#parts = parts;
    this.#watch = watch;
    const readBack = due.gate('callback', () => this.#readBack());
    const unpark = due.gate('parked_status', () => storeParked(parts.rt, parts.db));
    this.#loops = [
      new Loop(parts.rt, POLL_MS, 'ingest', readBack),
      new Loop(parts.rt, POLL_MS, 'parked', unpark),
      new Loop(parts.rt, noteEveryMs(parts.rt), 'status_notes', () => parts.statusNotes.write()),
    ];
  }

  offer(callback: RecordedCallback): void {
    if (this.#inbox.length >= MAX_INBOX || this.#known.has(callback.callbackId)) return;
    this.#known.add(callback.callbackId);
    this.#inbox.push(callback);
    if (this.#inbox.length >= COMPANY) this.#leave?.();
    this.#kick();
  }

  start(): void {
    for (const loop of this.#loops) loop.start();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#leave?.();
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    await this.#running;
  }

  /** Callbacks of other processes, of before a restart, or that did not fit into memory. */
  async #readBack(): Promise<void> {
    if (this.#inbox.length >= MAX_CALLBACKS) return;
    const { rt, db } = this.#parts;
    this.#finished = new Set();
    const stale = await findStaleCallbacks(db, rt.clock.now() - STALE_MS, MAX_CALLBACKS);
    for (const callback of stale) if (!this.#finished.has(callback.callbackId)) this.offer(callback);
  }

  #kick(): void {
    if (this.#running || this.#stopped) return;
    this.#running = this.#drain().finally(() => {
      this.#running = null;
      if (this.#inbox.length > 0) this.#kick();
    });
  }

  async #drain(): Promise<void> {
    // Callbacks of the same turn of the event loop share a transaction.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (this.#inbox.length > 0 && !this.#stopped) {
      await this.#gather();
      await this.#ingest(this.#nextBatch());
      this.#quietAtMs = this.#parts.rt.clock.monotonic() + GATHER_MS;
    }
  }

  #gather(): Promise<void> {
    const { clock } = this.#parts.rt;
    const waitMs = this.#quietAtMs - clock.monotonic();
    if (waitMs <= 0 || this.#inbox.length >= COMPANY) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = clock.after(waitMs, resolve);
      this.#leave = () => {
        cancel();
        resolve();
      };
    });
  }

  #nextBatch(): readonly ParsedCallback[] {
    const batch: ParsedCallback[] = [];
    let items = 0;
    for (const callback of this.#inbox) {
      if (batch.length >= MAX_CALLBACKS || items >= MAX_ITEMS) break;
      const parsed = parseCallback(callback.callbackId, callback.body.toString('utf8'));
      batch.push(parsed);
      items += parsed.items.length;
    }
    this.#inbox.splice(0, batch.length);
    return batch;
  }

  async #ingest(batch: readonly ParsedCallback[]): Promise<void> {
    const { rt } = this.#parts;
    try {
      const counts = await applyCallbacks(this.#parts, batch);
      if (!this.#watch.idle) tell(this.#watch, batch);
      for (const [kind, count] of Object.entries(counts)) if (count > 0) rt.metrics.callbackItems.inc({ kind }, count);
      for (const { callbackId } of batch) {
        this.#known.delete(callbackId);
        this.#finished.add(callbackId);
      }
    } catch (error) {
      await this.#afterFailure(batch, error);
    }
  }

  /** One by one, so that a callback which cannot be stored fails alone. */
  async #afterFailure(batch: readonly ParsedCallback[], error: unknown): Promise<void> {
    const { rt, db } = this.#parts;
    rt.log.warn({ error: (error as Error).message, callbacks: batch.length }, 'ingest.failed');
    const [first, ...others] = batch;
    if (first && others.length > 0) {
      for (const one of batch) await this.#ingest([one]);
      return;
    }
    await new Promise<void>((resolve) => rt.clock.after(FAILURE_PAUSE_MS, resolve));
    if (!first) return;
    await failCallback(rt, db, first.callbackId, error).catch(() => undefined);
    // Still queued in the database unless it was given up: it is read back and tried again.
    this.#known.delete(first.callbackId);
  }
}

/** The id stands first in an echo. Whoever waits for it looks into the database, so that a forged one does no harm. */
function tell(watch: OutcomeWatch, batch: readonly ParsedCallback[]): void {
  for (const item of batch.flatMap(({ items }) => items)) {
    if (item.kind === 'status' && item.echo !== null) watch.changed(item.echo.split('.', 1)[0] ?? '');
  }
}
