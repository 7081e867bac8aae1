import type { TopUp } from '#billing/domain/top-up';
import type { TenantId } from '#core/ids';
import { type SqlRunner, statement, type Transaction } from '#database/database';
import { firstRow } from '#database/rows';

type TopUpKey = Pick<TopUp, 'tenantId' | 'topUpId'>;

const TOPUP_INSERT = statement('topup_insert')`
insert into wallet_topups (tenant_id, topup_id, amount, currency, status, ask_ms, created_ms, updated_ms)
values ($1, $2, $3, $4, 'pending', $5, $6, $6)`;

/** A top-up that the gateway does not know of yet. */
export interface NewTopUp extends Pick<TopUp, 'tenantId' | 'topUpId' | 'amount' | 'currency'> {
  readonly askMs: number;
  readonly nowMs: number;
}

export async function insertTopUp(db: SqlRunner, topUp: NewTopUp): Promise<void> {
  const { tenantId, topUpId, amount, currency, askMs, nowMs } = topUp;
  await db.run(TOPUP_INSERT, [tenantId, topUpId, amount, currency, askMs, nowMs]);
}

const COUNT_PENDING = statement('topup_count_pending')`
select count(*)::int as n from wallet_topups where tenant_id = $1 and status = 'pending'`;

export async function countPendingTopUps(db: SqlRunner, tenantId: TenantId): Promise<number> {
  return (await db.run<{ readonly n: number }>(COUNT_PENDING, [tenantId])).rows[0]?.n ?? 0;
}

const OPEN = statement('topup_open')`
update wallet_topups set session_id = $3, checkout_url = $4, ask_ms = $5, updated_ms = $6
where tenant_id = $1 and topup_id = $2 and status = 'pending'`;

/** Notes what the gateway answered, unless its events were faster and have ended the top-up. */
export async function openTopUp(
  db: SqlRunner,
  topUp: TopUpKey,
  opened: { readonly sessionId: string; readonly url: string; readonly askMs: number; readonly nowMs: number },
): Promise<void> {
  const { sessionId, url, askMs, nowMs } = opened;
  await db.run(OPEN, [topUp.tenantId, topUp.topUpId, sessionId, url, askMs, nowMs]);
}

const COLUMNS = `tenant_id, topup_id as top_up_id, amount, currency, status, session_id, checkout_url, paid_amount,
  refund_told as refund_reported, refund_taken, note, created_ms, updated_ms`;

const TOPUP_FIND = statement('topup_find')`
select ${COLUMNS}
from wallet_topups where tenant_id = $1 and topup_id = $2`;

const TOPUP_LOCK = statement('topup_lock')`${TOPUP_FIND.text} for update`;

export async function findTopUp(db: SqlRunner, tenantId: string, topUpId: string): Promise<TopUp | null> {
  return firstRow(db.run<TopUp>(TOPUP_FIND, [tenantId, topUpId]));
}

/** The top-up, which stands still until the commit: of news that come at once, each finds what the one before left. */
export async function lockTopUp(tx: Transaction, tenantId: string, topUpId: string): Promise<TopUp | null> {
  return firstRow(tx.run<TopUp>(TOPUP_LOCK, [tenantId, topUpId]));
}

const PAY = statement('topup_pay')`
update wallet_topups set status = 'paid', session_id = $3, paid_amount = $4, transfer_id = $5, note = $6, ask_ms = null,
  updated_ms = $7
where tenant_id = $1 and topup_id = $2`;

export interface PaidTopUp extends Pick<TopUp, 'tenantId' | 'topUpId' | 'note'> {
  readonly sessionId: string;
  /** Minor units. */
  readonly amount: number;
  /** The line of the ledger. */
  readonly transferId: string;
  readonly nowMs: number;
}

/** Ends a top-up that `lockTopUp` holds as paid. */
export async function payTopUp(tx: Transaction, paid: PaidTopUp): Promise<void> {
  const { tenantId, topUpId, sessionId, amount, transferId, note, nowMs } = paid;
  await tx.run(PAY, [tenantId, topUpId, sessionId, amount, transferId, note, nowMs]);
}

const TOPUP_END = statement('topup_end')`
update wallet_topups set status = $3, note = $4, ask_ms = null, updated_ms = $5
where tenant_id = $1 and topup_id = $2 and status = 'pending'`;

export interface EndedTopUp extends Pick<TopUp, 'tenantId' | 'topUpId' | 'note'> {
  readonly status: 'expired' | 'failed';
  readonly nowMs: number;
}

/** Ends a pending top-up without money. */
export async function endTopUp(db: SqlRunner, { tenantId, topUpId, status, note, nowMs }: EndedTopUp): Promise<void> {
  await db.run(TOPUP_END, [tenantId, topUpId, status, note, nowMs]);
}

/** Of all tenants: the gateway is asked for everybody's payments by one loop. */
const FIND_DUE = statement('topup_find_due')`
select ${COLUMNS}, asked
from wallet_topups where ask_ms <= $1 order by ask_ms, tenant_id, topup_id limit $2`;

/** A top-up whose end is to be asked for. */
export interface DueTopUp extends TopUp {
  /** How often it was asked for already. */
  readonly asked: number;
}

export async function findDueTopUps(db: SqlRunner, nowMs: number, limit: number): Promise<readonly DueTopUp[]> {
  return (await db.run<DueTopUp>(FIND_DUE, [nowMs, limit])).rows;
}

const ASK_LATER = statement('topup_ask_later')`
update wallet_topups set asked = asked + 1, ask_ms = $3
where tenant_id = $1 and topup_id = $2 and status = 'pending'`;

export async function askLater(db: SqlRunner, topUp: TopUpKey, askMs: number): Promise<void> {
  await db.run(ASK_LATER, [topUp.tenantId, topUp.topUpId, askMs]);
}

const TELL_REFUND = statement('topup_tell_refund')`
update wallet_topups set refund_told = $3, updated_ms = $4 where tenant_id = $1 and topup_id = $2 and refund_told < $3`;

/** Notes on a top-up that `lockTopUp` holds how much the gateway gave back in all. */
export async function emitRefund(
  tx: Transaction,
  { tenantId, topUpId }: TopUpKey,
  refund: { readonly amount: number; readonly nowMs: number },
): Promise<void> {
  await tx.run(TELL_REFUND, [tenantId, topUpId, refund.amount, refund.nowMs]);
}

const TAKE_REFUND = statement('topup_take_refund')`
update wallet_topups set refund_taken = refund_taken + $3, updated_ms = $4 where tenant_id = $1 and topup_id = $2`;

/** Notes on a top-up that `lockTopUp` holds what was taken from the wallet, in minor units. */
export async function takeRefund(
  tx: Transaction,
  { tenantId, topUpId }: TopUpKey,
  refund: { readonly amount: number; readonly nowMs: number },
): Promise<void> {
  await tx.run(TAKE_REFUND, [tenantId, topUpId, refund.amount, refund.nowMs]);
}

/** Of all tenants: one loop takes what wallets could not pay at once. */
const FIND_REFUNDS_OWED = statement('topup_find_refunds_owed')`
select t.tenant_id, t.topup_id as top_up_id from wallet_topups t join wallets w on w.tenant_id = t.tenant_id
where t.status = 'paid'
  and t.refund_taken < least(t.refund_told - greatest(t.paid_amount - t.amount, 0), t.paid_amount, t.amount) and w.available_micros > 0
order by t.tenant_id, t.topup_id limit $1`;

/** Top-ups of which a refund is still to be taken, and whose wallet has something. */
export async function findRefundsOwed(db: SqlRunner, limit: number): Promise<readonly TopUpKey[]> {
  return (await db.run<TopUpKey>(FIND_REFUNDS_OWED, [limit])).rows;
}
