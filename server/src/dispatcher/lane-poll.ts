import type { DispatcherId } from '#core/ids';
import type { DispatchDatabase } from '#operations/dispatch-database';
import { findDueLanes } from '#operations/dispatch-messages';
import type { Runtime } from '#runtime/runtime';
import { laneKey } from './lane-key.ts';

/** A look costs by the lanes that wait: with thousands of them the poll rests this multiple of its time, at most so long. */
const REST_MULTIPLE = 9;
const MAX_REST_MS = 1_000;

/** @returns wakes the own lanes with work due; a call that comes too early after a long look does nothing */
export function makeLanePoll(
  { clock }: Runtime,
  db: DispatchDatabase,
  owner: DispatcherId,
  wake: (key: string) => void,
): () => Promise<void> {
  let restUntilMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const startedMs = clock.monotonic();
    if (startedMs < restUntilMs) return;
    for (const lane of await findDueLanes(db, owner, clock.now())) wake(laneKey(lane));
    const endedMs = clock.monotonic();
    restUntilMs = endedMs + Math.min(MAX_REST_MS, REST_MULTIPLE * (endedMs - startedMs));
  };
}
