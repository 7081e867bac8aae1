import type pg from 'pg';
import type { Clock } from '#runtime/clock';

/** How long the plan of a hot statement is used. In that time no table grows so much that its plan becomes a wrong one. */
const PLAN_AGE_MS = 1_000;

/** Lets the connections of hot statements plan them anew when their plans are old. */
export class PlanAge {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #plannedMs = new WeakMap<pg.Client, number>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Forgets plans that are old. The command leaves together with the statement that follows. */
  renew(client: pg.Client): void {
    const nowMs = this.#clock.monotonic();
    if (nowMs - (this.#plannedMs.get(client) ?? nowMs - PLAN_AGE_MS) < PLAN_AGE_MS) return;
    this.#plannedMs.set(client, nowMs);
    // It fails with its connection only, and then so does what follows it.
    client.query('discard plans').catch(() => undefined);
  }
}
