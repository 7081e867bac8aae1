import type { TenantId } from '#core/ids';
import type { Connection, Transaction } from '#database/database';
import type { EventDraft } from '#events/domain/event';
import { eventsOfMessage, type MessageChange } from '#events/domain/message-events';
import { recordingOf } from '#events/store/events';
import type { Runtime } from '#runtime/runtime';

/** Collects the events of a transaction. */
export interface EventSink {
  add(draft: EventDraft): void;
}

/**
 * Runs `work` in one transaction that records the events of its facts with them: both are there, or neither. They are
 * numbered by the last statement before the commit, so that no transaction waits long for this tenant's next number.
 */
export async function withEvents<T>(
  rt: Runtime,
  db: Connection,
  work: (tx: Transaction, events: EventSink) => Promise<T>,
): Promise<T> {
  const drafts: EventDraft[] = [];
  const result = await db.transaction(async (tx) => {
    const made = await work(tx, { add: (draft) => drafts.push(draft) });
    for (const command of recordingOf(drafts, rt.clock.now())) tx.atCommit(command);
    return made;
  });
  rt.eventSignal.notify(new Set<TenantId>(drafts.map((draft) => draft.tenantId)));
  return result;
}

export function emitChanges(events: EventSink, changes: readonly MessageChange[]): void {
  for (const draft of changes.flatMap(eventsOfMessage)) events.add(draft);
}
