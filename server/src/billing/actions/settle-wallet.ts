import { adjustmentOf, type Balances, type PriceList, priceList, priceOf, transferOf } from '#billing/domain/wallet';
import {
  findHolds,
  type HeldMessage,
  lockWallets,
  type NewTransfer,
  postTransfers,
  takeHolds,
} from '#billing/store/wallet';
import { listPrices } from '#billing/store/wallet-prices';
import type { TenantId } from '#core/ids';
import { type Database, StorageUnavailable } from '#database/database';
import { reportRefused } from '#database/until-stored';
import type { Runtime } from '#runtime/runtime';

/** Holds processed in one transaction: it locks the wallets of their tenants. */
const BATCH = 500;
const START = '00000000-0000-0000-0000-000000000000';

/**
 * "Capture at the network's pricing, release on failure": reads every hold once and settles those whose message has a
 * price or has failed. Each is settled once, however many processes do so, and a crash leaves it as it was.
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
    if (ended.length > 0) settled += await settleApart(rt, db, ended);
  }
}

/** A hold that cannot be settled because of the content of its rows stays as it is, and delays no other. */
async function settleApart(rt: Runtime, db: Database, ended: readonly HeldMessage[]): Promise<number> {
  try {
    return await settleBatch(rt, db, ended);
  } catch (error) {
    const [{ tenantId, messageId } = { tenantId: '', messageId: '' }] = ended;
    if (error instanceof StorageUnavailable) throw error;
    if (ended.length > 1) {
      const middle = ended.length >> 1;
      return (await settleApart(rt, db, ended.slice(0, middle))) + (await settleApart(rt, db, ended.slice(middle)));
    }
    reportRefused(rt, { what: 'hold', ids: { tenantId, messageId } }, error);
    return 0;
  }
}

async function settleBatch(rt: Runtime, db: Database, ended: readonly HeldMessage[]): Promise<number> {
  const nowMs = rt.clock.now();
  return db.transaction(async (tx) => {
    const wallets = await lockWallets(tx, new Set(ended.map(({ tenantId }) => tenantId)), nowMs);
    // Read behind the lock: what is captured by older prices is there before a re-rating by newer ones gets the lock.
    const prices = priceList(await listPrices(tx));
    const taken = await takeHolds(tx, payable(ended, wallets, prices));
    const ours = ended.filter(({ messageId }) => taken.has(messageId));
    await postTransfers(tx, wallets, { transfers: ours.flatMap((held) => settlementOf(rt, held, prices)), nowMs });
    return ours.length;
  });
}

/** Those that can be settled now. What was given back and is due again waits until so much is available. */
function payable(
  ended: readonly HeldMessage[],
  wallets: ReadonlyMap<TenantId, Balances>,
  prices: PriceList,
): readonly HeldMessage[] {
  const left = new Map([...wallets].map(([tenantId, { availableMicros }]) => [tenantId, availableMicros]));
  return ended.filter((held) => {
    if (held.amountMicros > 0) return true;
    const rest = (left.get(held.tenantId) ?? 0) - costOf(held, prices);
    if (rest < 0) return false;
    left.set(held.tenantId, rest);
    return true;
  });
}

/** What is captured, and what is given back of the rest. More than was held is never taken. */
function settlementOf(rt: Runtime, held: HeldMessage, prices: PriceList): readonly NewTransfer[] {
  if (held.amountMicros === 0) return lateCharge(rt, held, costOf(held, prices));
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

/** A message that was sent after its hold was given back is paid from what is available. */
function lateCharge(rt: Runtime, { tenantId, messageId }: HeldMessage, costMicros: number): readonly NewTransfer[] {
  if (costMicros === 0) return [];
  const transfer = adjustmentOf(-costMicros);
  const description = 'The message was sent after its hold had been released.';
  return [{ tenantId, messageId, transferId: rt.newId(), transfer, description }];
}

/** By the price list of the time when the message was accepted; nothing when it failed or is not billed. */
function costOf({ status, pricing, to, createdMs }: HeldMessage, prices: PriceList): number {
  if (status === 'failed' || pricing === null || pricing.billable === false || pricing.category === null) return 0;
  return priceOf(prices, { category: pricing.category, to, atMs: createdMs });
}
