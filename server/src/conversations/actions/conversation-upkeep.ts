import {
  type ConversationKey,
  type IdleRule,
  isIdle,
  isWindowClosing,
  WINDOW_CLOSING_MS,
} from '#conversations/domain/conversation';
import { windowClosingEvent } from '#conversations/domain/conversation-events';
import { addUpCounts, findCrowdedCounts } from '#conversations/store/conversation-counts';
import { findOverslept, findUnlinked, linkEarlier } from '#conversations/store/conversation-links';
import { findClosingWindows, findIdle, markWindowEmitted } from '#conversations/store/conversation-times';
import { lockConversation } from '#conversations/store/conversations';
import type { Actor } from '#core/caller/actor';
import { ApiProblem } from '#core/errors';
import { idFloor } from '#core/ids';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { updateConversation } from './change-conversation.ts';

/** Conversations per round: the next round follows soon. */
const BATCH = 100;
const SYSTEM: Actor = { kind: 'system', id: null };
const DAY_MS = 24 * 60 * 60 * 1000;
/** How far back earlier messages to the customer are added to a new conversation. */
const EARLIER_MS = 30 * DAY_MS;

/**
 * Reopens conversations whose snooze is over. One of several processes does it, and records one event. @returns how
 * many
 */
export async function wakeConversations(rt: Runtime, db: Database): Promise<number> {
  return countDone(await findOverslept(db, rt.clock.now(), BATCH), (one) => wake(rt, db, one));
}

async function countDone<T>(due: readonly T[], step: (one: T) => Promise<boolean>): Promise<number> {
  let done = 0;
  for (const one of due) if (await step(one)) done += 1;
  return done;
}

async function wake(rt: Runtime, db: Database, { tenantId, conversationId }: ConversationKey): Promise<boolean> {
  return withEvents(rt, db, async (tx, events) => {
    // Checked under the lock: another process may have been quicker, or the conversation was snoozed again.
    const one = await lockConversation(tx, tenantId, conversationId);
    if (one === null || one.snoozedUntilMs === null || one.snoozedUntilMs > rt.clock.now()) return false;
    const change = { actor: SYSTEM, cause: 'snooze_over', change: { status: 'open' } } as const;
    const { before, after } = await updateConversation(rt, tx, events, { tenantId, conversationId, ...change });
    return before !== after;
  }).catch((error: unknown) => {
    if (error instanceof ApiProblem) return false;
    throw error;
  });
}

/**
 * Resolves conversations in which nothing happened for as long as their number says. Of several processes one does it.
 * @returns how many
 */
export async function resolveIdle(rt: Runtime, db: Database): Promise<number> {
  return countDone(await findIdle(db, rt.clock.now(), BATCH), (one) => resolveOne(rt, db, one));
}

function resolveOne(rt: Runtime, db: Database, { rule, ...one }: ConversationKey & { readonly rule: IdleRule }) {
  return withEvents(rt, db, async (tx, events) => {
    // Checked under the lock: it may have received a message or been changed since it was found.
    const before = await lockConversation(tx, one.tenantId, one.conversationId);
    if (before === null || !isIdle(before, rule, rt.clock.now())) return false;
    await updateConversation(rt, tx, events, { ...one, actor: SYSTEM, cause: 'idle', change: { status: 'resolved' } });
    return true;
  });
}

/**
 * Announces windows that close within an hour. The announcement is marked in the transaction of its event: once per
 * window, however many processes run and wherever one of them ends.
 * @returns how many
 */
export async function emitClosingWindows(rt: Runtime, db: Database): Promise<number> {
  const nowMs = rt.clock.now();
  const due = await findClosingWindows(db, { afterMs: nowMs, untilMs: nowMs + WINDOW_CLOSING_MS, limit: BATCH });
  return countDone(due, (one) => emitClosing(rt, db, one));
}

function emitClosing(rt: Runtime, db: Database, due: ConversationKey): Promise<boolean> {
  return withEvents(rt, db, async (tx, events) => {
    const one = await lockConversation(tx, due.tenantId, due.conversationId);
    const nowMs = rt.clock.now();
    if (one === null || !isWindowClosing(one, nowMs)) return false;
    await markWindowEmitted(tx, one);
    events.add(windowClosingEvent(one, nowMs));
    return true;
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
