import { MessageTally, type Reply, replyOf } from '#core/analytics';
import { ConversationTally } from '#core/conversation-tally';
import type { TenantId } from '#core/ids';
import { addCounts, findBehind, lockCursor, markReplied, moveCursor } from '#storage/analytics-writes';
import { addConversationCounts, addDurations } from '#storage/conversation-analytics-writes';
import type { Database } from '#storage/database';
import { readEventsToCount } from '#storage/events';

/** Pages of events per transaction: some thousand events at most. */
const PAGES_AT_ONCE = 16;
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
    const told = await readEventsToCount(tx, { tenantId, after, pages: PAGES_AT_ONCE });
    if (told === null) return 0;
    const { events, accepted, lastSequence, recordedMs } = told;
    const tally = new MessageTally();
    for (const group of accepted) tally.addAccepted(group);
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
    await moveCursor(tx, { tenantId, lastSequence, asOfMs: recordedMs });
    return lastSequence - after;
  });
}
