import type { CallbackId } from '#core/ids';
import type { Database } from '#database/database';
import { GroupCommit } from '#database/group-commit';
import { noteFailure } from '#database/readiness';
import { appendCallbacks, type RawCallback } from '#inbound/store/callbacks';
import { makeRefusalNote } from '#messages/actions/callback-health';
import type { Runtime } from '#runtime/runtime';

/** A callback that is durable now, with its body at hand, so that the ingester need not read it back. */
export interface RecordedCallback {
  readonly callbackId: CallbackId;
  readonly body: Buffer;
}

export interface CallbackRecorder {
  /** Resolves when the callback is committed; only then may the network get its 200. */
  record(body: Buffer): Promise<void>;
  /** A callback was refused for its signature: recorded, so that no message is repeated for lack of a status. */
  refused(): void;
  close(): Promise<void>;
}

/** Bodies are up to 3 MB: fewer per statement than of messages, and no more than fit into one page. */
const MAX_BATCH = 64;
const MAX_WAITING = 2_000;
/** The network waits for its answer, and thinks a receiver slow that takes 250 ms. */
const GATHER_MS = 10;

/** @param recorded called with each callback after its commit */
export function makeCallbackRecorder(
  rt: Runtime,
  db: Database,
  recorded: (callback: RecordedCallback) => void,
): CallbackRecorder {
  const commits = new GroupCommit<RawCallback, CallbackId>({
    name: 'callbacks',
    maxBatch: MAX_BATCH,
    maxQueued: MAX_WAITING,
    maxInFlight: 1,
    minBatch: MAX_BATCH,
    gatherMs: GATHER_MS,
    write: (callbacks) => appendCallbacks(db, rt.newId, callbacks),
    onBatch: (rows) => {
      rt.metrics.batchRows.observe({ batch: 'callbacks' }, rows);
      rt.workHealth.succeeded('callbacks');
    },
    onFailure: (error, rows) => {
      rt.metrics.storageFailures.inc({ batch: 'callbacks' });
      noteFailure(rt, 'callbacks', error);
      rt.log.warn({ error: (error as Error).message, rows }, 'callback.append_failed');
    },
  });
  return {
    record: async (body) => {
      const callbackId = await commits.add({ receivedMs: rt.clock.now(), body });
      recorded({ callbackId, body });
    },
    refused: makeRefusalNote(rt, db),
    close: () => commits.drain(),
  };
}
