import type { Database } from '#database/database';
import { untilStored } from '#database/until-stored';
import type { Runtime } from '#runtime/runtime';
import {
  type AttemptCommits,
  makeAttemptCommits,
  restartLog,
  type SettledAttempt,
} from '#webhooks/actions/notify-events';
import type { WebhookAttempt } from '#webhooks/domain/webhook';
import { MAX_BLOCK_MS, type WebhookVerdict } from '#webhooks/domain/webhook-schedule';
import type { DueDelivery, SettledDelivery } from '#webhooks/store/webhook-deliveries';

const NOT_STORED = 'The response of the endpoint could not be stored.';
/** Attempts that one statement writes. */
const MAX_AT_ONCE = 200;
/** Attempts in flight bound what can wait here; this only guards against a mistake. */
const MAX_WAITING = 50_000;

/** Writes the results of attempts: those that end during a statement go together in the next one. */
export class AttemptSettler {
  readonly #rt: Runtime;
  readonly #db: Database;
  readonly #commits: AttemptCommits;
  readonly #writing = new Set<Promise<void>>();
  #leaving = false;

  constructor(rt: Runtime, db: Database) {
    this.#rt = rt;
    this.#db = db;
    this.#commits = makeAttemptCommits(rt, db, { maxBatch: MAX_AT_ONCE, maxQueued: MAX_WAITING });
  }

  /** Resolves when it is written. While the database is away that takes as long as it takes, until `leave`. */
  settle(one: SettledAttempt): Promise<void> {
    const { tenantId, deliveryId, attempt } = one.settled;
    const stripped = {
      ...one,
      settled: { ...one.settled, attempt: { ...attempt, detail: NOT_STORED, response: null } },
    };
    const ways = [
      () => this.#commits.add(one),
      () => this.#commits.add(stripped),
      () => restartLog(this.#rt, this.#db, stripped),
    ];
    const isLeaving = () => this.#leaving;
    const writing = untilStored({ rt: this.#rt, what: 'webhook', ids: { tenantId, deliveryId }, ways, isLeaving });
    this.#writing.add(writing);
    return writing.finally(() => this.#writing.delete(writing));
  }

  /** From here on nothing is tried again: what cannot be written stays due, and is delivered once more. */
  leave(): void {
    this.#leaving = true;
  }

  /** Resolves when everything is written, or after `leave` was tried. */
  async drain(): Promise<void> {
    await Promise.all(this.#writing);
  }
}

interface Outcome {
  readonly tenantId: SettledDelivery['tenantId'];
  readonly delivery: DueDelivery;
  readonly attempt: WebhookAttempt;
  readonly verdict: WebhookVerdict;
  readonly nowMs: number;
}

/** The row that an attempt leaves: the only place that turns a verdict into a state. */
export function settledDelivery({ tenantId, delivery, attempt, verdict, nowMs }: Outcome): SettledDelivery {
  const { deliveryId, orderKey } = delivery;
  const common = { tenantId, deliveryId, attempts: delivery.attempts + 1, attempt };
  if (verdict.kind !== 'again') {
    const state = verdict.kind === 'delivered' ? 'delivered' : 'failed';
    return { ...common, state, dueMs: null, blocksUntilMs: null, overtaken: false };
  }
  const { dueMs } = verdict;
  const blocksUntilMs = orderKey === null ? null : (delivery.blocksUntilMs ?? nowMs + MAX_BLOCK_MS);
  const overtaken = blocksUntilMs !== null && dueMs > blocksUntilMs;
  return { ...common, state: 'pending', dueMs, blocksUntilMs, overtaken };
}
