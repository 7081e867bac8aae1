import { type OpenDatabase, StorageUnavailable, statement } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { openDatabase } from './open-database.ts';

/** Between two attempts. */
const TRY_EVERY_MS = 2_000;

/** What `AbortController.signal` is, as far as it is needed here. */
export interface Aborted {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options: { readonly once: true }): void;
}

const ANSWER = statement('await_answer')`select 1`;

/**
 * Opens the database, and waits for it while it is away: one that starts together with the service needs its time, and a service that
 * left at once would be started again and again. Each attempt that fails writes a line.
 * @param stopped ends the wait
 * @throws StorageUnavailable when it is still away after MESSAGING_DATABASE_WAIT_S, or the wait was ended; what else `openDatabase`
 * throws, immediately: a wrong address or password does not become right
 */
export async function awaitDatabase(rt: Runtime, stopped: Aborted | null): Promise<OpenDatabase> {
  const { clock, config, log } = rt;
  const startMs = clock.monotonic();
  const limitMs = config.databaseWaitS * 1_000;
  for (;;) {
    try {
      return await openAnswering(rt);
    } catch (error) {
      const waitedMs = clock.monotonic() - startMs;
      if (!(error instanceof StorageUnavailable) || stopped?.aborted || waitedMs + TRY_EVERY_MS > limitMs) throw error;
      const reason = error.message;
      log.warn({ reason, waitedS: Math.round(waitedMs / 1_000), limitS: config.databaseWaitS }, 'storage.awaited');
      await pause(rt, stopped);
    }
  }
}

async function openAnswering(rt: Runtime): Promise<OpenDatabase> {
  const db = await openDatabase(rt);
  try {
    await db.run(ANSWER, []);
    return db;
  } catch (error) {
    await db.close().catch(() => undefined);
    throw error;
  }
}

function pause({ clock }: Runtime, stopped: Aborted | null): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(TRY_EVERY_MS, resolve);
    stopped?.addEventListener(
      'abort',
      () => {
        cancel();
        resolve();
      },
      { once: true },
    );
  });
}
