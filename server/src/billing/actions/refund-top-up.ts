import { audit } from '#access/actions/audit';
import { SERVICE } from '#access/domain/audit';
import { type RefundReport, refundOwed, type TopUp } from '#billing/domain/top-up';
import { adjustmentOf, microsPerMinorUnit } from '#billing/domain/wallet';
import { emitRefund, findRefundsOwed, lockTopUp, takeRefund } from '#billing/store/top-ups';
import { lockWallets, postTransfers } from '#billing/store/wallet';
import { isUuid } from '#core/ids';
import type { Database, Transaction } from '#database/database';
import type { Runtime } from '#runtime/runtime';

/** Refunds processed in one run of the loop. */
const BATCH = 100;

/**
 * Applies what the gateway reports of refunds of a top-up. A report carries the sum of all refunds, and the top-up says
 * how much of it was taken: each cent leaves the wallet once, however often and in whatever order it is reported, and
 * also when the refund is reported before the payment. A wallet never falls below zero: the rest is taken once it is
 * there.
 * @returns minor units that were taken now
 */
export async function refundTopUp(rt: Runtime, db: Database, report: RefundReport): Promise<number> {
  if (!isUuid(report.tenantId) || !isUuid(report.topUpId)) return 0;
  const taken = await db.transaction(async (tx) => {
    const topUp = await lockTopUp(tx, report.tenantId, report.topUpId);
    if (topUp === null || topUp.currency !== report.currency || report.amount <= topUp.refundReported) return 0;
    await emitRefund(tx, topUp, { amount: report.amount, nowMs: rt.clock.now() });
    return takeOwed(rt, tx, { ...topUp, refundReported: report.amount });
  });
  rt.log.info({ tenant: report.tenantId, topup: report.topUpId, amount: report.amount, taken }, 'topup.refunded');
  return taken;
}

/** Takes what wallets could not pay when the refund was reported. @returns how many top-ups something was taken for */
export async function takeOwedRefunds(rt: Runtime, db: Database): Promise<number> {
  let count = 0;
  for (const { tenantId, topUpId } of await findRefundsOwed(db, BATCH)) {
    const taken = await db.transaction(async (tx) => {
      const topUp = await lockTopUp(tx, tenantId, topUpId);
      return topUp === null ? 0 : takeOwed(rt, tx, topUp);
    });
    count += taken > 0 ? 1 : 0;
  }
  return count;
}

/**
 * Caches what is owed for refunds of a top-up that is locked, as far as the wallet has it.
 * @returns minor units that were taken
 */
export async function takeOwed(rt: Runtime, tx: Transaction, topUp: TopUp): Promise<number> {
  const owed = refundOwed(topUp);
  if (owed === 0) return 0;
  const { tenantId, topUpId, currency } = topUp;
  const nowMs = rt.clock.now();
  const wallets = await lockWallets(tx, new Set([tenantId]), nowMs);
  const unit = microsPerMinorUnit(currency);
  const amount = Math.min(owed, Math.floor((wallets.get(tenantId)?.availableMicros ?? 0) / unit));
  if (amount === 0) return 0;
  const transferId = rt.newId();
  const transfer = adjustmentOf(-amount * unit);
  const description = 'Refunded through the payment gateway.';
  const transfers = [{ tenantId, transferId, transfer, messageId: null, description }];
  await postTransfers(tx, wallets, { transfers, nowMs });
  await takeRefund(tx, topUp, { amount, nowMs });
  const details = { topup: topUpId, amount: -amount, currency, reason: description };
  await audit(rt, tx, { tenantId, origin: SERVICE, action: 'wallet.adjusted', targetId: transferId, details });
  return amount;
}
