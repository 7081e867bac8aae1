import { idFloor } from '#core/ids';
import type { Database } from '#database/database';
import {
  checkpoint,
  GROWING_TABLES,
  QUEUE_TABLES,
  removeOld,
  removeOldRuleDecisions,
  vacuum,
} from '#maintenance/store/retention';
import { DAY_MS, DECISIONS_MS, DELIVERIES_MS, EVENTS_MS, IDEMPOTENCY_MS, retainCallbacksMs } from '#runtime/retention';
import type { Runtime } from '#runtime/runtime';

export interface CleanupCounts {
  /** Rows, of up to 255 callbacks. */
  readonly callbacks: number;
  readonly leftovers: number;
  readonly idempotencyKeys: number;
  readonly parkedStatuses: number;
  readonly parkedChanges: number;
  readonly accountNotices: number;
  /** Pages, of up to 500 events. */
  readonly eventPages: number;
  readonly webhookDeliveries: number;
  readonly ruleDecisions: number;
  readonly assignments: number;
  readonly notifications: number;
  readonly suggestions: number;
  readonly bulkItems: number;
  readonly bulkChanges: number;
  readonly sessions: number;
  readonly signInLinks: number;
  readonly signInAttempts: number;
  readonly passkeyChallenges: number;
  readonly ssoStates: number;
  readonly ssoSessions: number;
  /** Of people who are gone. */
  readonly passkeys: number;
  readonly pushSubscriptions: number;
  /** People who had not been an agent of any tenant for a day. */
  readonly users: number;
}

/** The network repeats a callback for up to 7 days; a status or a change whose message is unknown after that never finds one. */
const PARKED_MS = 7 * DAY_MS;

/** A bulk change can be undone for a day, and looked at for a week. */
const BULK_CHANGES_MS = 7 * DAY_MS;

/** Who decided what can be looked at for so long after a suggestion has expired. */
const SUGGESTIONS_MS = 30 * DAY_MS;

/** Long enough to see where somebody was signed in. */
const ENDED_SESSIONS_MS = 7 * DAY_MS;
/** A session lasts 30 days at most. */
const LONGEST_SESSION_MS = 31 * DAY_MS;
/** Batches per round and table, so that one round stays short. */
const MAX_BATCHES = 20;

/** Removes what is older than its retention. */
export async function removeOldRows(rt: Runtime, db: Database): Promise<CleanupCounts> {
  const nowMs = rt.clock.now();
  const callbacksBeforeMs = nowMs - retainCallbacksMs(rt.config);
  const remove = (kind: Parameters<typeof removeOld>[1], before: number | string) =>
    inBatches(() => removeOld(db, kind, before));
  return {
    callbacks: await remove('callbacks', idFloor(callbacksBeforeMs)),
    leftovers: await remove('leftovers', callbacksBeforeMs),
    idempotencyKeys: await remove('idempotencyKeys', nowMs - IDEMPOTENCY_MS),
    parkedStatuses: await removeOld(db, 'parkedStatuses', nowMs - PARKED_MS),
    parkedChanges: await removeOld(db, 'parkedChanges', nowMs - PARKED_MS),
    // A report cannot come again once its callback is gone, and the network has given up repeating it.
    accountNotices: await remove('accountNotices', Math.min(callbacksBeforeMs, nowMs - PARKED_MS)),
    eventPages: await remove('eventPages', nowMs - EVENTS_MS),
    webhookDeliveries: await remove('webhookDeliveries', nowMs - DELIVERIES_MS),
    assignments: await remove('assignments', idFloor(nowMs - DECISIONS_MS)),
    notifications: await remove('notifications', nowMs - EVENTS_MS),
    suggestions: await remove('suggestions', nowMs - SUGGESTIONS_MS),
    bulkItems: await remove('bulkItems', nowMs - BULK_CHANGES_MS),
    bulkChanges: await remove('bulkChanges', nowMs - BULK_CHANGES_MS),
    sessions: await remove('sessions', nowMs - ENDED_SESSIONS_MS),
    signInLinks: await remove('signInLinks', nowMs - ENDED_SESSIONS_MS),
    signInAttempts: await remove('signInAttempts', nowMs),
    passkeyChallenges: await remove('passkeyChallenges', nowMs),
    ssoStates: await remove('ssoStates', nowMs),
    ssoSessions: await remove('ssoSessions', nowMs - LONGEST_SESSION_MS),
    users: await remove('users', nowMs - DAY_MS),
    pushSubscriptions: await remove('pushSubscriptions', nowMs),
    passkeys: await remove('passkeys', nowMs),
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
