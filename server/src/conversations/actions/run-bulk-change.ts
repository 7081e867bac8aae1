import { type BulkChange, changedSince, tracesOf, wayBack } from '#conversations/domain/bulk-change';
import type { ConversationChange } from '#conversations/domain/conversation';
import {
  type BulkSettlement,
  findWaitingItems,
  settleItem,
  type WaitingItem,
} from '#conversations/store/bulk-change-items';
import { claimBulkChange, releaseBulkChange } from '#conversations/store/bulk-changes';
import { lockConversation } from '#conversations/store/conversations';
import { ApiProblem, requireFound } from '#core/errors';
import { type Database, StorageUnavailable, type Transaction } from '#database/database';
import { type EventSink, withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';
import { type ConversationChanged, updateConversation } from './change-conversation.ts';
import { finishBulkChange } from './finish-bulk-change.ts';

/** A conversation takes milliseconds; a killed process delays its bulk change by at most this. */
export const BULK_LEASE_MS = 30_000;
/** Conversations of one turn: then the bulk changes of others have theirs. */
export const TURN = 200;

/**
 * Gives one bulk change that is due its turn, of any tenant. Each conversation is changed in a transaction of its own that also
 * notes its outcome, so that a kill leaves it changed and noted, or neither.
 * @param isStopped asked before each conversation
 * @returns whether there was one
 */
export async function runBulkChange(rt: Runtime, db: Database, isStopped: () => boolean): Promise<boolean> {
  const nowMs = rt.clock.now();
  const of = await claimBulkChange(db, { nowMs, untilMs: nowMs + BULK_LEASE_MS });
  if (of === null) return false;
  const items = await findWaitingItems(db, of, TURN);
  for (const item of items) {
    // Whoever goes on finds what is waiting.
    if (isStopped()) break;
    // Another process has taken over, or it was canceled.
    if (!(await changeItem(rt, db, of, item))) return true;
  }
  const end = { status: 'completed', nowMs: rt.clock.now() } as const;
  const ended = await withEvents(rt, db, (tx, events) => finishBulkChange(tx, events, of, end));
  if (ended === null) await releaseBulkChange(db, of, rt.clock.now());
  return true;
}

/** @returns false when it is not ours to change any more */
async function changeItem(rt: Runtime, db: Database, of: BulkChange, item: WaitingItem): Promise<boolean> {
  const settle = (outcome: Omit<BulkSettlement, 'place'>) => async (tx: Transaction) => {
    const nowMs = rt.clock.now();
    const lease = { nowMs, untilMs: nowMs + BULK_LEASE_MS };
    if (!(await settleItem(tx, of, { ...outcome, place: item.place }, lease)))
      throw new NotOurs('It was settled elsewhere.');
  };
  const attempt = () =>
    withEvents(rt, db, async (tx, events) => {
      const { before, after } = await makeChange({ rt, tx, events }, of, item);
      if (before === after) return settle(SETTLED_UNCHANGED)(tx);
      return settle({ outcome: 'changed', code: null, reason: null, traces: tracesOf(before, after) })(tx);
    });
  try {
    // Twice, because a race that was lost is won the next time.
    const refusal = (await refusalOf(rt, attempt, 'again')) ?? (await refusalOf(rt, attempt, 'last'));
    if (refusal instanceof ApiProblem) {
      const { code, message: reason } = refusal;
      await db.transaction(settle({ outcome: 'refused', code, reason, traces: null }));
    }
    return true;
  } catch (error) {
    if (error instanceof NotOurs) return false;
    throw error;
  }
}

const SETTLED_UNCHANGED = { outcome: 'unchanged', code: null, reason: null, traces: null } as const;

/** The item is settled, or its bulk change has ended; what was done here is undone. */
class NotOurs extends Error {
  override name = 'NotOurs';
}

/**
 * Makes an attempt to change a conversation.
 * @returns why it is refused; null: it failed on our side, and another attempt may succeed
 * @throws NotOurs, StorageUnavailable
 */
async function refusalOf(
  rt: Runtime,
  attempt: () => Promise<void>,
  which: 'again' | 'last',
): Promise<ApiProblem | 'none' | null> {
  try {
    await attempt();
    return 'none';
  } catch (error) {
    if (error instanceof NotOurs || error instanceof StorageUnavailable) throw error;
    if (error instanceof ApiProblem && error.status < 500) return error;
    if (which === 'again') return null;
    // A fault of ours must not keep the others waiting for ever.
    rt.log.error({ error: (error as Error).message }, 'bulk_change.item_failed');
    const sentence = 'Something failed on our side. Change this conversation by itself.';
    return new ApiProblem('internal_error', { sentence });
  }
}

interface Work {
  readonly rt: Runtime;
  readonly tx: Transaction;
  readonly events: EventSink;
}

async function makeChange(work: Work, of: BulkChange, item: WaitingItem): Promise<ConversationChanged> {
  if (of.change !== null) return update(work, of, { item, cause: 'bulk', change: of.change });
  const before = requireFound(await lockConversation(work.tx, of.tenantId, item.conversationId));
  let after = before;
  for (const change of stepsBack(before, item)) {
    ({ after } = await update(work, of, { item, cause: 'bulk_undo', change }));
  }
  return { before, after };
}

/** @throws ApiProblem conflict when somebody else has changed the same since */
function stepsBack(now: ConversationChanged['before'], { undoes }: WaitingItem): readonly ConversationChange[] {
  if (undoes === null) throw new ApiProblem('conflict', { sentence: 'What it was before is no longer known.' });
  const field = changedSince(now, undoes);
  if (field !== null) throw new ApiProblem('conflict', { sentence: `Its ${field} has been changed since.` });
  return wayBack(now, undoes);
}

interface Step {
  readonly item: WaitingItem;
  readonly cause: string;
  readonly change: ConversationChange;
}

function update({ rt, tx, events }: Work, { tenantId, actor }: BulkChange, { item, cause, change }: Step) {
  const { conversationId } = item;
  return updateConversation(rt, tx, events, { tenantId, conversationId, actor, cause, change });
}
