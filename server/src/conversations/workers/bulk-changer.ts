import { runBulkChange } from '#conversations/actions/run-bulk-change';
import type { Database } from '#database/database';
import type { DueWork } from '#queue/due-work';
import { Loop } from '#queue/loop';
import type { Runtime } from '#runtime/runtime';

export interface BulkChangerDeps {
  readonly rt: Runtime;
  readonly db: Database;
  readonly due: DueWork<'bulk_change'>;
}

/** Makes bulk changes, in turns. */
export interface BulkChanger {
  start(): void;
  /** Finishes the conversation under way; another process, or the next start, goes on behind it. */
  stop(): Promise<void>;
  /** Gives one bulk change its turn. @returns whether there was one */
  runOnce(): Promise<boolean>;
}

/** How late a bulk change begins: somebody waits for it. */
const POLL_MS = 250;

export function makeBulkChanger({ rt, db, due }: BulkChangerDeps): BulkChanger {
  let stopped = false;
  const runOnce = () => runBulkChange(rt, db, () => stopped);
  const all = async (): Promise<void> => {
    while (!stopped && (await runOnce()));
  };
  const loop = new Loop(rt, POLL_MS, 'bulk_changes', due.gate('bulk_change', all));
  return {
    runOnce,
    start: () => loop.start(),
    stop: async () => {
      stopped = true;
      await loop.stop();
    },
  };
}
