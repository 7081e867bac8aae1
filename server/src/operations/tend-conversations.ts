import { ApiProblem } from '#core/errors';
import type { Runtime } from '#runtime/runtime';
import { addUpCounts, findCrowdedCounts } from '#storage/conversation-counts';
import { findOverslept, findUnlinked, linkEarlier, type Unlinked } from '#storage/conversation-links';
import { lockConversation } from '#storage/conversations';
import type { Database } from '#storage/database';
import { idFloor } from '#storage/message-reads';
import { changeConversation } from './change-conversation.ts';
import { withEvents } from './with-events.ts';

/** Conversations per round: the next round follows soon. */
const BATCH = 100;
const DAY_MS = 24 * 60 * 60 * 1000;
/** How far back a new conversation takes in what was sent to the customer before. */
const EARLIER_MS = 30 * DAY_MS;

/** Opens conversations whose snooze is over. Of several processes one does it, and it is told once. @returns how many */
export async function wakeConversations(rt: Runtime, db: Database): Promise<number> {
  const due = await findOverslept(db, rt.clock.now(), BATCH);
  let woken = 0;
  for (const one of due) if (await wake(rt, db, one)) woken += 1;
  return woken;
}

async function wake(rt: Runtime, db: Database, { tenantId, conversationId }: Unlinked): Promise<boolean> {
  return withEvents(rt, db, async (tx, events) => {
    // Looked at under the lock: another process may have been quicker, or somebody snoozed it anew.
    const one = await lockConversation(tx, tenantId, conversationId);
    if (one === null || one.snoozedUntilMs === null || one.snoozedUntilMs > rt.clock.now()) return false;
    const actor = { kind: 'system', id: null } as const;
    const request = { tenantId, conversationId, actor, cause: 'snooze_over', change: { status: 'open' } } as const;
    const { before, after } = await changeConversation(rt, tx, events, request);
    return before !== after;
  }).catch((error: unknown) => {
    if (error instanceof ApiProblem) return false;
    throw error;
  });
}

/** Takes what was sent to customers before they wrote into their conversations. @returns how many messages */
export async function linkEarlierMessages(rt: Runtime, db: Database): Promise<number> {
  const sinceId = idFloor(rt.clock.now() - EARLIER_MS);
  let linked = 0;
  for (const one of await findUnlinked(db, BATCH)) linked += await linkEarlier(db, one, sinceId);
  return linked;
}

/** Adds up the counts of tenants that have many rows of them. @returns how many rows were added up */
export async function addUpConversationCounts(rt: Runtime, db: Database): Promise<number> {
  let rows = 0;
  for (const tenantId of await findCrowdedCounts(db)) {
    rows += await db.transaction((tx) => addUpCounts(tx, rt.newId, tenantId));
  }
  return rows;
}
