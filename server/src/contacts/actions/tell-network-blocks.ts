import { contactJson } from '#contacts/domain/contact-json';
import { type BlockFailure, type NetworkBlock, networkBlockJson } from '#contacts/domain/network-block';
import { findContact } from '#contacts/store/contacts';
import {
  type ClaimedBlock,
  claimNetworkBlocks,
  findContactOfAddress,
  settleNetworkBlock,
} from '#contacts/store/network-blocks';
import { retryDelayMs } from '#core/backoff';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';
import { withEvents } from '#events/actions/with-events';
import type { Runtime } from '#runtime/runtime';

/**
 * A claimed block is left alone by others for so long, which is three times what the longest call takes: what a process tells the
 * network has arrived, or never will, before another one tells it something else.
 */
export const BLOCK_LEASE_MS = 60_000;
/** Whoever did not write for so long cannot be blocked, and a network that does not answer for so long will not. */
const GIVE_UP_MS = 7 * 24 * 60 * 60 * 1000;

/** Takes blocks that are due for this process, none of the tenants that have enough under way. */
export function claimDueBlocks(
  rt: Runtime,
  db: Database,
  limit: number,
  without: readonly TenantId[] = [],
): Promise<readonly ClaimedBlock[]> {
  const nowMs = rt.clock.now();
  return claimNetworkBlocks(db, { nowMs, untilMs: nowMs + BLOCK_LEASE_MS, limit, without });
}

/**
 * Stores what the network answered, with its event when that is final.
 * @param failure null: it did what it was told
 * @returns the block as it is then; null: the lease was over, and the network is told once more
 */
export function settleBlock(
  rt: Runtime,
  db: Database,
  claimed: ClaimedBlock,
  failure: BlockFailure | null,
): Promise<NetworkBlock | null> {
  return withEvents(rt, db, async (tx, events) => {
    const { networkCode = null, reason = null } = failure ?? {};
    const outcome = { dueMs: failure === null ? null : nextTryMs(rt, claimed, failure), networkCode, reason };
    const block = await settleNetworkBlock(tx, claimed, outcome, rt.clock.now());
    if (block === null || block.state === 'pending') return block;
    const { tenantId, address } = claimed;
    const contactId = await findContactOfAddress(tx, tenantId, address);
    const contact = contactId === null ? null : await findContact(tx, tenantId, contactId);
    if (contact !== null) {
      const data = { ...contactJson(contact), network_block: networkBlockJson(block) };
      events.add({ tenantId, type: 'contact.network_block_changed', data });
    }
    return block;
  });
}

/** Null: never. */
function nextTryMs(
  rt: Runtime,
  { attempt, changedMs }: ClaimedBlock,
  { passing, retryAfterMs }: BlockFailure,
): number | null {
  if (!passing) return null;
  const delayMs = retryDelayMs({
    retryClass: 'transient',
    // The age of the wish ends it, not a number of attempts.
    attempt: Math.min(attempt, 100),
    random: rt.random,
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  });
  const dueMs = rt.clock.now() + (delayMs ?? 0);
  return delayMs === null || dueMs > changedMs + GIVE_UP_MS ? null : dueMs;
}
