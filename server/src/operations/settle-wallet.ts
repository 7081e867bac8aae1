import { type Price, priceOf, transferOf } from '#core/wallet';
import type { Runtime } from '#runtime/runtime';
import type { Database } from '#storage/database';
import { bookTransfers, findHolds, type HeldMessage, lockWallets, type NewTransfer, takeHolds } from '#storage/wallet';
import { listPrices } from '#storage/wallet-prices';

/** Holds looked at in one transaction: it locks the wallets of their tenants. */
const BATCH = 500;
const START = '00000000-0000-0000-0000-000000000000';

/**
 * "Capture at the network's pricing, release on failure": looks at every hold once and settles those whose message has
 * a price or has failed. Each is settled once, whoever else does the same, and a crash leaves it as it was.
 * @returns how many were settled
 */
export async function settleHolds(rt: Runtime, db: Database): Promise<number> {
  let after = { tenantId: START, messageId: START };
  let settled = 0;
  while (true) {
    const held = await findHolds(db, after, BATCH);
    const last = held.at(-1);
    if (!last) return settled;
    after = { tenantId: last.tenantId, messageId: last.messageId };
    const ended = held.filter(({ status, pricing }) => status === 'failed' || pricing !== null);
    if (ended.length > 0) settled += await settleBatch(rt, db, ended);
  }
}

async function settleBatch(rt: Runtime, db: Database, ended: readonly HeldMessage[]): Promise<number> {
  const nowMs = rt.clock.now();
  return db.transaction(async (tx) => {
    const wallets = await lockWallets(tx, new Set(ended.map(({ tenantId }) => tenantId)), nowMs);
    // Read behind the lock: what is captured by older prices is there before a re-rating by newer ones gets the lock.
    const prices = await listPrices(tx);
    const taken = await takeHolds(tx, ended);
    const ours = ended.filter(({ messageId }) => taken.has(messageId));
    await bookTransfers(tx, wallets, { transfers: ours.flatMap((held) => settlementOf(rt, held, prices)), nowMs });
    return ours.length;
  });
}

/** What is captured, and what is given back of the rest. More than was held is never taken. */
function settlementOf(rt: Runtime, held: HeldMessage, prices: readonly Price[]): readonly NewTransfer[] {
  const costMicros = Math.min(costOf(held, prices), held.amountMicros);
  const restMicros = held.amountMicros - costMicros;
  const common = { tenantId: held.tenantId, messageId: held.messageId };
  const why = held.status === 'failed' ? 'The message failed.' : 'The message cost less than was held.';
  const capture = {
    ...common,
    transferId: rt.newId(),
    transfer: transferOf('capture', costMicros),
    description: `A message of the category ${held.pricing?.category ?? 'unknown'}.`,
  };
  const release = {
    ...common,
    transferId: rt.newId(),
    transfer: transferOf('release', restMicros),
    description: why,
  };
  return [...(costMicros > 0 ? [capture] : []), ...(restMicros > 0 ? [release] : [])];
}

/** By the price list of the time when the message was accepted; nothing when it failed or is not billed. */
function costOf({ status, pricing, to, createdMs }: HeldMessage, prices: readonly Price[]): number {
  if (status === 'failed' || pricing === null || pricing.billable === false || pricing.category === null) return 0;
  return priceOf(prices, { category: pricing.category, to, atMs: createdMs });
}
