import { MessageTally, type Reply, replyOf } from '#core/analytics';
import { ConversationTally } from '#core/conversation-tally';
import type { TenantId } from '#core/ids';
import { addCounts, findBehind, lockCursor, markReplied, moveCursor } from '#storage/analytics-writes';
import { addConversationCounts, addDurations } from '#storage/conversation-analytics-writes';
import type { Database } from '#storage/database';
import { readEvents } from '#storage/events';

/** Events per transaction. */
const AT_ONCE = 2_000;
const TENANTS_AT_ONCE = 200;

/**
 * Brings the sums of every tenant up to its events.
 * @returns how many events were added; call again while it is not 0
 */
export async function rollUp(db: Database): Promise<number> {
  let added = 0;
  for (const tenantId of await findBehind(db, TENANTS_AT_ONCE)) added += await rollUpTenant(db, tenantId);
  return added;
}

/** Adds the next events of a tenant to its sums. Killed before the commit nothing is added, after it everything. */
export function rollUpTenant(db: Database, tenantId: TenantId): Promise<number> {
  return db.transaction(async (tx) => {
    const after = await lockCursor(tx, tenantId);
    if (after === null) return 0;
    const events = await readEvents(tx, { tenantId, after, types: null, limit: AT_ONCE });
    const last = events.at(-1);
    if (last === undefined) return 0;
    const tally = new MessageTally();
    const conversations = new ConversationTally();
    for (const event of events) {
      tally.addEvent(event);
      conversations.addEvent(event);
    }
    const replies = events.map(replyOf).filter((reply): reply is Reply => reply !== null);
    for (const message of await markReplied(tx, tenantId, replies)) tally.add('replied', message);
    await addCounts(tx, tenantId, tally.deltas);
    await addConversationCounts(tx, tenantId, conversations.deltas);
    await addDurations(tx, tenantId, conversations.durations);
    await moveCursor(tx, { tenantId, lastSequence: last.sequence, asOfMs: last.recordedMs });
    return events.length;
  });
}
