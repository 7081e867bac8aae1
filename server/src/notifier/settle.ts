import type { WebhookAttempt } from '#core/webhook';
import { MAX_BLOCK_MS, type WebhookVerdict } from '#core/webhook-schedule';
import type { DispatchDatabase } from '#operations/dispatch-database';
import { type DueDelivery, type SettledAttempt, type SettledDelivery, settleAttempts } from '#operations/notify-events';
import type { Runtime } from '#runtime/runtime';

/** Attempts that one statement writes. */
const MAX_AT_ONCE = 200;
/** How long the database rests after it failed. */
const RETRY_MS = 500;

/** Writes what attempts made of their deliveries: those that end meanwhile go together in the next statement. */
export class AttemptSettler {
  readonly #rt: Runtime;
  readonly #db: DispatchDatabase;
  #waiting: { readonly one: SettledAttempt; readonly done: () => void }[] = [];
  #running: Promise<void> | null = null;
  #leaving = false;

  constructor(rt: Runtime, db: DispatchDatabase) {
    this.#rt = rt;
    this.#db = db;
  }

  /** Resolves when it is written. While the database is away that takes as long as it takes, until `leave`. */
  settle(one: SettledAttempt): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ one, done: resolve });
      this.#running ??= this.#run();
    });
  }

  /** From here on nothing is tried again: what cannot be written stays due, and is delivered once more. */
  leave(): void {
    this.#leaving = true;
  }

  /** Resolves when everything is written, or after `leave` was tried. */
  async drain(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, MAX_AT_ONCE);
      try {
        await settleAttempts(
          this.#rt,
          this.#db,
          batch.map(({ one }) => one),
        );
      } catch (error) {
        this.#rt.log.warn({ error: (error as Error).message }, 'webhook.settle_failed');
        if (this.#leaving) break;
        await new Promise<void>((resolve) => this.#rt.clock.after(RETRY_MS, resolve));
        continue;
      }
      this.#waiting = this.#waiting.slice(batch.length);
      for (const { done } of batch) done();
    }
    for (const { done } of this.#waiting) done();
    this.#waiting = [];
    this.#running = null;
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
