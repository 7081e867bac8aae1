import { ApiProblem } from '#core/errors';
import type { CallbackId } from '#core/ids';
import type { Database } from '#database/database';
import { faultKind, isLockTimeout } from '#database/pg-errors';
import { countCallbackFailure, findQueuedCallbacks, keepUnhandledItems, takeCallbacks } from '#inbound/store/callbacks';
import type { Runtime } from '#runtime/runtime';
import type { RecordedCallback } from './record-callback.ts';

/** After so many failures that are its own fault a callback is put aside; it can be replayed. */
const MAX_FAILURES = 5;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Records that a callback could not be stored. One that keeps failing because of its own content is put aside, with the
 * reason.
 */
export async function failCallback(rt: Runtime, db: Database, callbackId: CallbackId, error: unknown): Promise<void> {
  if (faultKind(error) === 'connection' || isLockTimeout(error) || isOverload(error)) return;
  if ((await countCallbackFailure(db, callbackId)) < MAX_FAILURES) return;
  const reason = `It could not be stored: ${(error as Error).message}`;
  await db.transaction(async (tx) => {
    await takeCallbacks(tx, [callbackId]);
    await keepUnhandledItems(tx, [{ callbackId, item: -1, name: 'not_stored', reason, raw: null }], rt.clock.now());
  });
  rt.log.error({ callbackId, error: (error as Error).message }, 'callback.put_aside');
}

/** It was not tried: too many wait for a locked row. */
function isOverload(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === 'overloaded';
}

export interface StaleQuery {
  /** Received before. */
  readonly beforeMs: number;
  /** Behind this one; null: from the oldest on. */
  readonly after: CallbackId | null;
  readonly limit: number;
}

/** Queued callbacks, oldest first. */
export async function findStaleCallbacks(
  db: Database,
  { beforeMs, after, limit }: StaleQuery,
): Promise<readonly RecordedCallback[]> {
  const queued = await findQueuedCallbacks(db, after ?? FIRST_ID, limit);
  return queued
    .filter((callback) => callback.receivedMs <= beforeMs)
    .map(({ callbackId, body }) => ({ callbackId, body: Buffer.from(body, 'utf8') }));
}
