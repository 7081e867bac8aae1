import type { Database } from '#database/database';
import { checkHealth } from '#database/health';
import {
  countDisabledEndpoints,
  countLeaseHolders,
  countNumbers,
  groupCampaigns,
  groupQueue,
  readCallbackBacklog,
  readWebhookBacklogs,
} from '#maintenance/store/service-state';
import type { Runtime } from '#runtime/runtime';
import { serviceVersion } from '#runtime/version';
import { showState } from './show-state.ts';

/** Readings within this time of each other share their figures. */
const FRESH_MS = 2_000;
/** What takes long is read less often: the pause is so many times as long, */
const REST_PER_TIME = 20;
/** but no longer than this, so that an alert does not wait for it. */
const MOST_REST_MS = 60_000;
/** A reading of the metrics waits no longer for the database, so that it does not fail when the database hangs. */
const WAIT_MS = 1_000;

/**
 * Lets the metrics show what the database knows of the whole installation: asked when somebody reads them, never twice at the same
 * time, and seldom when it takes long.
 * @param whole false: only whether the database responds, for a process that leaves the rest to others
 */
export function watchState(rt: Runtime, db: Database, whole: boolean): void {
  const { clock, metrics } = rt;
  metrics.info.set({ version: serviceVersion(), node: process.versions.node, database: db.kind }, 1);
  let running: Promise<void> | null = null;
  let notBeforeMs = Number.NEGATIVE_INFINITY;
  let readMs: number | null = null;
  let isSilent = false;

  const ask = async (): Promise<void> => {
    const startMs = clock.monotonic();
    isSilent = true;
    const health = await checkHealth(db);
    isSilent = false;
    metrics.databaseUp.set(health.ok ? 1 : 0);
    if (health.ok && whole) {
      try {
        await readState(rt, db);
        readMs = clock.monotonic();
      } catch (error) {
        rt.log.warn({ error: (error as Error).message }, 'metrics.state_not_read');
      }
    }
    const endMs = clock.monotonic();
    const restMs = Math.min(MOST_REST_MS, (endMs - startMs) * REST_PER_TIME);
    notBeforeMs = endMs + Math.max(FRESH_MS, restMs);
  };

  metrics.onRead(async () => {
    if (running === null && clock.monotonic() >= notBeforeMs) {
      running = ask().finally(() => {
        running = null;
      });
    }
    // Figures that take long to read are shown the next time; a database that says nothing at all is away.
    if (running !== null && !(await isOverWithin(rt, running)) && isSilent) metrics.databaseUp.set(0);
    if (whole && readMs !== null) metrics.stateAge.set((clock.monotonic() - readMs) / 1_000);
  });
}

async function isOverWithin({ clock }: Runtime, work: Promise<void>): Promise<boolean> {
  let cancel = (): void => undefined;
  const late = new Promise<false>((resolve) => {
    cancel = clock.after(WAIT_MS, () => resolve(false));
  });
  const isOver = await Promise.race([work.then(() => true), late]);
  cancel();
  return isOver;
}

/** One after the other: together they would take most connections of the process. */
async function readState({ clock, metrics }: Runtime, db: Database): Promise<void> {
  const nowMs = clock.now();
  const state = {
    queue: await groupQueue(db, nowMs),
    callbacks: await readCallbackBacklog(db),
    webhooks: await readWebhookBacklogs(db),
    disabled: await countDisabledEndpoints(db),
    campaigns: await groupCampaigns(db),
    numbers: await countNumbers(db),
    holders: await countLeaseHolders(db),
  };
  showState(metrics, state, nowMs);
}
