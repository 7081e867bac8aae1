import { audit } from '#access/actions/audit';
import { SERVICE } from '#access/domain/audit';
import { type CheckoutReport, evaluateTopUp, type TopUp, type TopUpVerdict } from '#billing/domain/top-up';
import { microsPerMinorUnit, transferOf } from '#billing/domain/wallet';
import { endTopUp, lockTopUp, payTopUp } from '#billing/store/top-ups';
import { lockWallets, postTransfers } from '#billing/store/wallet';
import { isUuid } from '#core/ids';
import type { Database, Transaction } from '#database/database';
import type { Runtime } from '#runtime/runtime';
import { takeOwed } from './refund-top-up.ts';

export type TopUpOutcome = 'credited' | 'ended' | 'nothing';

/**
 * Applies what the gateway reports of a checkout. Credits once, however often, in whatever order and by how many
 * processes it is reported: the state of the top-up, the line of the ledger and the balance change in one transaction,
 * behind a lock of the top-up.
 */
export async function settleTopUp(rt: Runtime, db: Database, report: CheckoutReport): Promise<TopUpOutcome> {
  if (!isUuid(report.tenantId) || !isUuid(report.topUpId)) return 'nothing';
  const outcome = await db.transaction(async (tx): Promise<TopUpOutcome> => {
    const topUp = await lockTopUp(tx, report.tenantId, report.topUpId);
    if (topUp === null) return 'nothing';
    const verdict = evaluateTopUp(topUp, report);
    if (verdict.kind === 'credit') await credit(rt, tx, { topUp, verdict, report });
    if (verdict.kind === 'end') await endTopUp(tx, { ...topUp, ...verdict, nowMs: rt.clock.now() });
    return verdict.kind === 'credit' ? 'credited' : verdict.kind === 'end' ? 'ended' : 'nothing';
  });
  rt.log.info({ tenant: report.tenantId, topup: report.topUpId, state: report.state, outcome }, 'topup.told');
  return outcome;
}

interface Credit {
  readonly topUp: TopUp;
  readonly verdict: Extract<TopUpVerdict, { kind: 'credit' }>;
  readonly report: CheckoutReport;
}

async function credit(rt: Runtime, tx: Transaction, { topUp, verdict, report }: Credit): Promise<void> {
  const { tenantId, topUpId, currency } = topUp;
  const { amount, paidAmount, note } = verdict;
  const nowMs = rt.clock.now();
  const transfer = transferOf('topup', amount * microsPerMinorUnit(currency));
  const wallets = await lockWallets(tx, new Set([tenantId]), nowMs);
  // Behind the lock, so that the lines of a ledger are in the order in which they were posted.
  const transferId = rt.newId();
  const description = note ?? 'Paid through the payment gateway.';
  const transfers = [{ tenantId, transferId, transfer, messageId: null, description }];
  await postTransfers(tx, wallets, { transfers, nowMs });
  await payTopUp(tx, { tenantId, topUpId, sessionId: report.sessionId, amount: paidAmount, transferId, note, nowMs });
  const details = { topup: topUpId, amount, currency, ...(paidAmount > amount ? { held: paidAmount - amount } : {}) };
  await audit(rt, tx, { tenantId, origin: SERVICE, action: 'wallet.topped_up', targetId: transferId, details });
  // A refund can be reported before the payment.
  await takeOwed(rt, tx, { ...topUp, paidAmount });
}
