import { makeOwnerCache } from '#accounts/actions/owner-cache';
import type { CallbackId } from '#core/ids';
import type { Database } from '#database/database';
import {
  type IngestCounts,
  type IngestDeps,
  type ParsedCallback,
  parseCallback,
} from '#inbound/actions/apply-callbacks';
import { failCallback, findStaleCallbacks } from '#inbound/actions/fail-callback';
import { type IngestCommits, makeIngestCommits } from '#inbound/actions/ingest-commits';
import type { RecordedCallback } from '#inbound/actions/record-callback';
import { storeMetChanges } from '#inbound/actions/store-message-changes';
import { noteEveryMs, StatusNotes } from '#messages/actions/callback-health';
import type { OutcomeWaiters } from '#messages/actions/outcome-waiters';
import { storeParked } from '#messages/actions/store-statuses';
import { correlationSecret } from '#messages/domain/correlation-token';
import type { DueWork } from '#queue/due-work';
import { Loop } from '#queue/loop';
import type { Runtime } from '#runtime/runtime';
import { makeNetworkListeners } from '#webhooks/actions/network-listeners';

/** What an ingester polls for. */
type IngestWork = 'callback' | 'parked_status' | 'parked_change';

export interface Ingester {
  /** A callback was committed in this process: no need to read it back. */
  offer(callback: RecordedCallback): void;
  start(): void;
  stop(): Promise<void>;
}

/** Callbacks kept in memory; beyond it they are read back from the database. */
const MAX_KNOWN = 5_000;
/** Read back immediately. */
const MAX_READ_BACK = 200;
/** A callback this old that is not ingested yet is found by polling the database. */
const STALE_MS = 1_000;
const POLL_MS = 500;
const FAILURE_PAUSE_MS = 250;

export interface IngesterDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly due: DueWork<IngestWork>;
  /** Key of the correlation tokens; the same in every process. */
  readonly correlationKey: string;
  /** Notified of every message that a status was stored for. */
  readonly watch: OutcomeWaiters;
}

/** Interprets recorded callbacks: from memory when this process recorded them, else from the database. */
export function makeIngester({ rt, db, due, correlationKey, watch }: IngesterDeps): Ingester {
  const parts = {
    rt,
    db,
    correlationSecret: correlationSecret(correlationKey),
    owners: makeOwnerCache(rt, db),
    listeners: makeNetworkListeners(rt, db),
    statusNotes: new StatusNotes(db),
  };
  return new CallbackIngester(parts, due, watch);
}

class CallbackIngester implements Ingester {
  readonly #parts: IngestDeps;
  readonly #watch: OutcomeWaiters;
  readonly #commits: IngestCommits;
  readonly #loops: readonly Loop[];
  readonly #known = new Set<CallbackId>();
  /** Done since the last look into the database began: what it finds may be older than that. */
  #finished = new Set<CallbackId>();
  /** Where the next look begins; null: at the oldest. */
  #after: CallbackId | null = null;
  #stopped = false;

  constructor(parts: IngestDeps, due: DueWork<IngestWork>, watch: OutcomeWaiters) {
    const { rt, db } = parts;
    this.#parts = parts;
    this.#watch = watch;
    this.#commits = makeIngestCommits(parts, {
      maxQueued: MAX_KNOWN,
      isStopped: () => this.#stopped,
      onApplied: (batch, counts) => this.#note(batch, counts),
    });
    const readBack = due.gate('callback', () => this.#readBack());
    const unpark = due.gate('parked_status', () => storeParked(rt, db));
    const meet = due.gate('parked_change', () => storeMetChanges(rt, db));
    this.#loops = [
      new Loop(rt, POLL_MS, 'ingest', readBack),
      new Loop(rt, POLL_MS, 'parked', unpark),
      new Loop(rt, POLL_MS, 'parked_changes', meet),
      new Loop(rt, noteEveryMs(rt), 'status_notes', () => parts.statusNotes.write()),
    ];
  }

  offer({ callbackId, body }: RecordedCallback): void {
    if (this.#stopped || this.#known.size >= MAX_KNOWN || this.#known.has(callbackId)) return;
    this.#known.add(callbackId);
    this.#commits.add(parseCallback(callbackId, body.toString('utf8'))).then(
      () => {
        this.#known.delete(callbackId);
        this.#finished.add(callbackId);
      },
      (error: unknown) => this.#afterFailure(callbackId, error),
    );
  }

  start(): void {
    for (const loop of this.#loops) loop.start();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    await this.#commits.drain();
  }

  /** Callbacks of other processes, from before a restart, or that did not fit into memory. */
  async #readBack(): Promise<void> {
    // While those at hand wait for a locked row, others can leave beside them.
    if (this.#commits.pending >= MAX_READ_BACK && !this.#commits.isHanging) return;
    const { rt, db } = this.#parts;
    this.#finished = new Set();
    const query = { beforeMs: rt.clock.now() - STALE_MS, after: this.#after, limit: MAX_READ_BACK };
    const stale = await findStaleCallbacks(db, query);
    // The oldest may be those that wait longest for a locked row: the others have their turn too.
    this.#after = stale.length < MAX_READ_BACK ? null : (stale.at(-1)?.callbackId ?? null);
    for (const callback of stale) if (!this.#finished.has(callback.callbackId)) this.offer(callback);
  }

  #note(batch: readonly ParsedCallback[], counts: IngestCounts): void {
    if (!this.#watch.idle) announce(this.#watch, batch);
    const { log, metrics } = this.#parts.rt;
    log.debug({ callbacks: batch.map(({ callbackId }) => callbackId), ...counts }, 'callback.done');
    const { callbackItems } = metrics;
    for (const [kind, count] of Object.entries(counts)) if (count > 0) callbackItems.inc({ kind }, count);
  }

  /** Still queued in the database unless it is given up: it is read back and tried again. */
  async #afterFailure(callbackId: CallbackId, error: unknown): Promise<void> {
    if (this.#stopped) return;
    const { rt, db } = this.#parts;
    await new Promise<void>((resolve) => rt.clock.after(FAILURE_PAUSE_MS, resolve));
    await failCallback(rt, db, callbackId, error).catch(() => undefined);
    this.#known.delete(callbackId);
  }
}

/**
 * The id is the first part of a correlation token. Waiters read the database when notified, so a forged token has no
 * effect.
 */
function announce(watch: OutcomeWaiters, batch: readonly ParsedCallback[]): void {
  for (const item of batch.flatMap(({ items }) => items)) {
    if (item.kind === 'status' && item.echo !== null) watch.changed(item.echo.split('.', 1)[0] ?? '');
  }
}
