import { type ApiProcess, beatApiProcess, removeApiProcess } from '#access/store/api-processes';
import type { RateShare } from '#core/limits/request-limits';
import type { Database } from '#database/database';
import { Loop } from '#queue/loop';
import type { Runtime } from '#runtime/runtime';

const PROCESS_BEAT_MS = 1_000;
/** A process whose beat stands still for this long loses its share; a slow database must not look like a death. */
const GONE_MS = 5_000;
/** The others count this process with their next beat; until then they use what will be its share. */
const NEW_FOR_MS = 2 * PROCESS_BEAT_MS;
/** The row of a process that ended without removing it is deleted after this; a slow one finds its row again. */
const FORGET_MS = 60_000;

/** What a single process has: the embedded database, or a test. */
export const WHOLE_RATE: RateShare = {
  current: () => ({ processes: 1, isNew: false }),
  runOnce: async () => undefined,
  leave: async () => undefined,
};

interface Sighting {
  readonly beat: number;
  /** When it was first seen with this beat, on our own monotonic clock: no two clocks are compared. */
  readonly sinceMs: number;
}

/** Not a lease that anything depends on: a wrong count for a few seconds makes a limit a little too wide or narrow. */
export function makeRateShare(rt: Runtime, db: Database): RateShare {
  if (db.kind === 'pglite') return WHOLE_RATE;
  const processId: string = rt.newId();
  const seen = new Map<string, Sighting>();
  let beat = 0;
  let processes = 1;
  let settledMs: number | null = null;
  return {
    current: () => ({ processes, isNew: rt.clock.monotonic() < (settledMs ?? 0) }),
    runOnce: async () => {
      beat += 1;
      const all = await beatApiProcess(db, { processId, beat });
      const nowMs = rt.clock.monotonic();
      const others = all.filter((other) => other.processId !== processId);
      for (const gone of watch(seen, others, nowMs)) await removeApiProcess(db, gone.processId, gone.beat);
      processes = 1 + countLive(seen, nowMs);
      settledMs ??= processes === 1 ? nowMs : nowMs + NEW_FOR_MS;
    },
    leave: () => removeApiProcess(db, processId, null),
  };
}

/** Remembers since when each beat stands still. @returns those that stand still for so long that their row may go */
function watch(seen: Map<string, Sighting>, others: readonly ApiProcess[], nowMs: number): readonly ApiProcess[] {
  for (const known of seen.keys()) {
    if (!others.some((other) => other.processId === known)) seen.delete(known);
  }
  for (const { processId, beat } of others) {
    if (seen.get(processId)?.beat !== beat) seen.set(processId, { beat, sinceMs: nowMs });
  }
  return others.filter(({ processId }) => nowMs - (seen.get(processId)?.sinceMs ?? nowMs) >= FORGET_MS);
}

function countLive(seen: ReadonlyMap<string, Sighting>, nowMs: number): number {
  return [...seen.values()].filter(({ sinceMs }) => nowMs - sinceMs < GONE_MS).length;
}

/** Takes the share of this process before its first request, and keeps it. @returns gives it back; null: the embedded database has one process */
export async function keepRateShare(
  rt: Runtime,
  db: Database,
  share: RateShare,
): Promise<(() => Promise<void>) | null> {
  if (db.kind === 'pglite') return null;
  await share.runOnce();
  const loop = new Loop(rt, PROCESS_BEAT_MS, 'rate_share', share.runOnce);
  loop.start();
  return async () => {
    await loop.stop();
    await share.leave();
  };
}
