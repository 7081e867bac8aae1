import type { DispatcherId } from '#core/ids';
import type { Database } from '#database/database';
import { faultKind } from '#database/pg-errors';
import { type ClaimedMessage, type ClaimItem, claimQueued, removeLost, setAside } from '#messages/store/send-queue';
import type { Runtime } from '#runtime/runtime';

/**
 * Claims ready rows; returns those that were claimed, in the order of the request. A row without a message (left by a
 * partial restore, or by hand) is removed: it would stay claimed for ever. One whose message the database cannot read
 * is set aside, so that it delays no other.
 */
export async function claimMessages(
  rt: Runtime,
  db: Database,
  owner: DispatcherId,
  items: readonly ClaimItem[],
): Promise<readonly ClaimedMessage[]> {
  const { claimed, missing } = await claimReadable({ rt, db, owner }, items);
  if (missing.length > 0) await dropLost(rt, db, missing);
  return claimed;
}

interface Claiming {
  readonly rt: Runtime;
  readonly db: Database;
  readonly owner: DispatcherId;
}

interface Claims {
  readonly claimed: readonly ClaimedMessage[];
  /** Not claimed, and not set aside. */
  readonly missing: readonly ClaimItem[];
}

/** Halves items that cannot be claimed together, until a faulty row is alone. */
async function claimReadable(claiming: Claiming, items: readonly ClaimItem[]): Promise<Claims> {
  const [first] = items;
  try {
    const claimed = await claimQueued(claiming.db, claiming.owner, items);
    const there = new Set(claimed.map(({ messageId }) => messageId));
    return { claimed, missing: items.filter(({ messageId }) => !there.has(messageId)) };
  } catch (error) {
    if (first === undefined || faultKind(error) !== 'row') throw error;
    if (items.length === 1) return setUnreadableAside(claiming, first, error);
  }
  const middle = items.length >> 1;
  const before = await claimReadable(claiming, items.slice(0, middle));
  const after = await claimReadable(claiming, items.slice(middle));
  return { claimed: [...before.claimed, ...after.claimed], missing: [...before.missing, ...after.missing] };
}

/** How long a row whose message cannot be read waits for its next try: each writes a line to the log. */
export const UNREADABLE_WAIT_MS = 60_000;

async function setUnreadableAside({ rt, db }: Claiming, item: ClaimItem, error: unknown): Promise<Claims> {
  const { tenantId, messageId, phoneNumberId } = item;
  rt.metrics.unreadable.inc({ by: 'claim' });
  rt.log.error({ tenantId, messageId, phoneNumberId, error: (error as Error).message }, 'queue.message_unreadable');
  await setAside(db, item, rt.clock.now() + UNREADABLE_WAIT_MS);
  return { claimed: [], missing: [] };
}

async function dropLost(rt: Runtime, db: Database, items: readonly ClaimItem[]): Promise<void> {
  try {
    const lost = await removeLost(db, items);
    if (lost.length === 0) return;
    rt.metrics.lostQueueRows.inc(lost.length);
    rt.log.error({ messages: lost.map(({ messageId }) => messageId) }, 'queue.message_missing');
  } catch (error) {
    // What was claimed is sent all the same; the next owner of the lane meets the row again.
    rt.log.warn({ error: (error as Error).message }, 'queue.remove_lost_failed');
  }
}
