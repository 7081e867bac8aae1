import { idFloor } from '#core/ids';
import type { Database } from '#database/database';
import {
  checkpoint,
  GROWING_TABLES,
  QUEUE_TABLES,
  removeOldAssignments,
  removeOldCallbacks,
  removeOldDeliveries,
  removeOldEvents,
  removeOldIdempotencyKeys,
  removeOldParkedStatuses,
  removeOldRuleDecisions,
  removeOldUnhandledItems,
  vacuum,
} from '#maintenance/store/retention';
import { DELIVERIES_MS, EVENTS_MS, IDEMPOTENCY_MS, retainCallbacksMs } from '#runtime/retention';
import type { Runtime } from '#runtime/runtime';

export interface CleanupCounts {
  readonly callbacks: number;
  readonly leftovers: number;
  readonly idempotencyKeys: number;
  readonly parkedStatuses: number;
  /** Pages, of up to 500 events. */
  readonly eventPages: number;
  readonly webhookDeliveries: number;
  readonly ruleDecisions: number;
  readonly assignments: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The network repeats a callback for up to 7 days; a status whose message is unknown after that never finds one. */
const PARKED_MS = 7 * DAY_MS;

/** A quarter: long enough to look back at, short enough that 50 kB per message do not pile up. */
const DECISIONS_MS = 90 * DAY_MS;
/** Batches per round and table, so that one round stays short. */
const MAX_BATCHES = 20;

/** Removes what is older than its retention. */
export async function removeOldRows(rt: Runtime, db: Database): Promise<CleanupCounts> {
  const nowMs = rt.clock.now();
  const callbacksBeforeMs = nowMs - retainCallbacksMs(rt.config);
  return {
    callbacks: await inBatches(() => removeOldCallbacks(db, idFloor(callbacksBeforeMs))),
    leftovers: await inBatches(() => removeOldUnhandledItems(db, callbacksBeforeMs)),
    idempotencyKeys: await inBatches(() => removeOldIdempotencyKeys(db, nowMs - IDEMPOTENCY_MS)),
    parkedStatuses: await removeOldParkedStatuses(db, nowMs - PARKED_MS),
    eventPages: await inBatches(() => removeOldEvents(db, nowMs - EVENTS_MS)),
    webhookDeliveries: await inBatches(() => removeOldDeliveries(db, nowMs - DELIVERIES_MS)),
    assignments: await inBatches(() => removeOldAssignments(db, idFloor(nowMs - DECISIONS_MS))),
    ruleDecisions: await inBatches(() => removeOldRuleDecisions(db, nowMs - DECISIONS_MS)),
  };
}

async function inBatches(remove: () => Promise<number>): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const count = await remove();
    removed += count;
    if (count === 0) break;
  }
  return removed;
}

/** A checkpoint that runs out of space ends the embedded database. It can need room for segments of the log, of 16 MB each. */
const ROOM_FOR_CHECKPOINT = 64 * 1024 * 1024;

/**
 * VACUUM, ANALYZE and CHECKPOINT for the embedded database, which does none of them automatically: often, so only what is small.
 * @param freeBytes of the disk that the database is on
 */
export async function vacuumQueues(db: Database, freeBytes: number): Promise<void> {
  await vacuum(db, QUEUE_TABLES);
  // Without a checkpoint everything that is stored can still be read, and is recovered after a crash.
  if (freeBytes >= ROOM_FOR_CHECKPOINT) await checkpoint(db);
}

/** The same for the tables that grow: now and then, because it takes longer the more there is. */
export async function vacuumGrowingTables(db: Database): Promise<void> {
  await vacuum(db, GROWING_TABLES);
}
