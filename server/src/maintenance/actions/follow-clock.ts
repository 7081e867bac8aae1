import type { SqlRunner } from '#database/database';
import { readDatabaseClock } from '#database/database-clock';
import type { ClockFinding } from '#runtime/cluster-clock';
import type { Runtime } from '#runtime/runtime';

/**
 * How often a process compares its clock with the database's: between two samples its monotonic clock carries the time.
 */
export const CLOCK_BEAT_MS = 5_000;
/** Clocks that NTP keeps differ by far less. */
export const CLOCK_DIFFERENCE_LIMIT_MS = 2_000;

/**
 * One sample of the database's clock, by which every process decides what is due.
 * @returns null with a clock that follows none, as tests have it
 * @throws StorageUnavailable
 */
export async function followClock({ clock, metrics }: Runtime, db: SqlRunner): Promise<ClockFinding | null> {
  if (clock.correct === undefined) return null;
  const startedMs = clock.monotonic();
  const referenceMs = await readDatabaseClock(db);
  const uncertaintyMs = (clock.monotonic() - startedMs) / 2;
  const found = clock.correct({ referenceMs, monotonicMs: startedMs + uncertaintyMs, uncertaintyMs });
  metrics.clockDifference.set(found.machineAheadMs / 1000);
  return found;
}

/** The step of a loop that follows the clock, and logs when the machine's clock begins and ceases to be wrong. */
export function makeClockWatch(rt: Runtime, db: SqlRunner): () => Promise<void> {
  let wasWrong = false;
  return async () => {
    const found = await followClock(rt, db);
    if (found === null) return;
    const facts = { aheadMs: Math.round(found.machineAheadMs), steppedMs: Math.round(found.steppedMs) };
    const isWrong = Math.abs(found.machineAheadMs) > CLOCK_DIFFERENCE_LIMIT_MS;
    if (isWrong && !wasWrong) rt.log.warn(facts, 'clock.differs_from_database');
    if (!isWrong && wasWrong) rt.log.info(facts, 'clock.agrees_with_database');
    if (found.steppedMs !== 0) rt.log.warn(facts, 'clock.stepped');
    wasWrong = isWrong;
  };
}
