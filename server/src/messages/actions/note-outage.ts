import type { DispatcherId } from '#core/ids';
import type { Database } from '#database/database';
import { setOutage } from '#messages/store/leases';
import type { Runtime } from '#runtime/runtime';

/**
 * Makes the function that records for the operator whether this dispatcher holds back its messages. It never throws, and its calls
 * are written in their order: an end must not be overtaken by its beginning. Its argument: the reason; null: it no longer does.
 */
export function makeOutageNotes(rt: Runtime, db: Database, id: DispatcherId): (reason: string | null) => void {
  let written = Promise.resolve();
  return (reason) => {
    const sinceMs = reason === null ? null : rt.clock.now();
    written = written
      .then(() => setOutage(db, id, { sinceMs, reason }))
      .catch((error: Error) => rt.log.warn({ error: error.message }, 'network.outage_not_noted'));
  };
}
