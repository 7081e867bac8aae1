import {
  addingCounts,
  findBehind,
  isMovedOn,
  markReplied,
  movingCursor,
  readRollUpCursor,
  type SumsPlace,
} from '#analytics/store/analytics-writes';
import { addDurations, addingConversationCounts } from '#analytics/store/conversation-analytics-writes';
import { ConversationTally } from '#conversations/domain/conversation-tally';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { type InboundReply, MessageTally, replyOf } from '#events/domain/message-sums';
import { type EventsToCount, readEventsToCount } from '#events/store/events';
import type { Runtime } from '#runtime/runtime';

/** Per transaction. A page has one event or hundreds. */
const PAGES_AT_ONCE = 128;
const EVENTS_AT_ONCE = 2_000;
const TENANTS_AT_ONCE = 200;

/**
 * Sums that have events as young as this are left alone: each process adds to all sums, and a tenant that is busy would be counted by all of them
 * without end, each to find that another one was quicker.
 */
const FRESH_MS = 900;
/** So much may the clock of another machine be ahead. */
const AHEAD_MS = 1_000;

/**
 * Updates the sums of every tenant with its events, but for sums that are fresh.
 * @returns how many events were added; call again while it is not 0
 */
export async function rollUp({ clock, random }: Pick<Runtime, 'clock' | 'random'>, db: Database): Promise<number> {
  const nowMs = clock.now();
  const behind = await findBehind(db, { fromMs: nowMs - FRESH_MS, toMs: nowMs + AHEAD_MS }, TENANTS_AT_ONCE);
  // Processes that look at the same time begin in different places.
  const first = Math.floor(random() * behind.length);
  let added = 0;
  for (const place of [...behind.slice(first), ...behind.slice(0, first)]) added += await rollUpFrom(db, place);
  return added;
}

/** Adds the next events of a tenant to its sums. @returns how many; 0 also when another process was quicker */
export async function rollUpTenant(db: Database, tenantId: TenantId): Promise<number> {
  return rollUpFrom(db, { tenantId, after: await readRollUpCursor(db, tenantId) });
}

/**
 * The events are read before the transaction, which is then sent in one piece: it adds their sums if the cursor
 * has not moved. Killed before the commit nothing is added, after it everything.
 */
async function rollUpFrom(db: Database, { tenantId, after }: SumsPlace): Promise<number> {
  const page = await readEventsToCount(db, { tenantId, after, pages: PAGES_AT_ONCE, events: EVENTS_AT_ONCE });
  if (page === null) return 0;
  try {
    await addEvents(db, { tenantId, after }, page);
  } catch (error) {
    if (isMovedOn(error)) return 0;
    throw error;
  }
  return page.lastSequence - after;
}

function addEvents(
  db: Database,
  place: SumsPlace,
  { events, sums, lastSequence, recordedMs }: EventsToCount,
): Promise<void> {
  const { tenantId } = place;
  const tally = new MessageTally();
  for (const sum of sums) tally.addSum(sum);
  const conversations = new ConversationTally();
  for (const event of events) {
    tally.addEvent(event);
    conversations.addEvent(event);
  }
  const replies = events.map(replyOf).filter((reply): reply is InboundReply => reply !== null);
  const { durations } = conversations;
  const moving = movingCursor({ ...place, lastSequence, asOfMs: recordedMs });
  return db.transaction(async (tx) => {
    // What is read here to be written again is read after the cursor: no other process changes it then.
    if (replies.length + durations.length > 0) await tx.run(moving.statement, moving.parameters);
    else tx.atCommit(moving);
    for (const message of await markReplied(tx, tenantId, replies)) tally.add('replied', message);
    await addDurations(tx, tenantId, durations);
    const adding = [
      ...addingCounts(tenantId, tally.deltas),
      ...addingConversationCounts(tenantId, conversations.deltas),
    ];
    for (const command of adding) tx.atCommit(command);
  });
}
