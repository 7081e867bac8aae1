import type { Config } from '#runtime/config';
import type { Runtime } from '#runtime/runtime';
import type { Database } from '#storage/database';
import { idFloor } from '#storage/message-reads';
import {
  checkpoint,
  GROWING_TABLES,
  QUEUE_TABLES,
  removeOldAssignments,
  removeOldCallbacks,
  removeOldDeliveries,
  removeOldEvents,
  removeOldIdempotencyKeys,
  removeOldLeftovers,
  removeOldParkedStatuses,
  removeOldRuleDecisions,
  vacuum,
} from '#storage/retention';

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
/** The contract of idempotency keys: kept 24 hours. */
export const IDEMPOTENCY_MS = DAY_MS;
/** The network repeats a callback for up to 7 days; a status whose message is unknown after that never finds one. */
const PARKED_MS = 7 * DAY_MS;
/** Promised to readers of the feed; what was delivered can be looked up as long. */
const EVENTS_MS = 30 * DAY_MS;
export const DELIVERIES_MS = EVENTS_MS;
/** A quarter: long enough to look back at, short enough that 50 kB per message do not pile up. */
const DECISIONS_MS = 90 * DAY_MS;
/** Batches per round and table, so that one round stays short. */
const MAX_BATCHES = 20;

/** How long callbacks are kept, with what nothing could read of them. */
export function retainCallbacksMs({ callbackRetentionDays }: Pick<Config, 'callbackRetentionDays'>): number {
  return callbackRetentionDays * DAY_MS;
}

/** Removes what is older than its retention. */
export async function removeOldRows(rt: Runtime, db: Database): Promise<CleanupCounts> {
  const nowMs = rt.clock.now();
  const callbacksBeforeMs = nowMs - retainCallbacksMs(rt.config);
  return {
    callbacks: await inBatches(() => removeOldCallbacks(db, idFloor(callbacksBeforeMs))),
    leftovers: await inBatches(() => removeOldLeftovers(db, callbacksBeforeMs)),
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

/** A checkpoint that runs out of space ends the embedded database. This is several times what one writes. */
const ROOM_FOR_CHECKPOINT = 64 * 1024 * 1024;

/**
 * VACUUM, ANALYZE and CHECKPOINT for the embedded database, which does none of them automatically: often, so only what is small.
 * @param freeBytes of the disk that the database is on
 */
export async function tidyQueues(db: Database, freeBytes: number): Promise<void> {
  await vacuum(db, QUEUE_TABLES);
  // Without a checkpoint everything that is stored can still be read, and is recovered after a crash.
  if (freeBytes >= ROOM_FOR_CHECKPOINT) await checkpoint(db);
}

/** The same for the tables that grow: now and then, because it takes longer the more there is. */
export async function tidyGrowingTables(db: Database): Promise<void> {
  await vacuum(db, GROWING_TABLES);
}
