import type { TenantId, TopUpId } from '#core/ids';
import type { FindSubscription } from './payment-event.ts';
import { microsPerMinorUnit } from './wallet.ts';

export const topUpStatuses = ['pending', 'paid', 'expired', 'failed'] as const;
export type TopUpStatus = (typeof topUpStatuses)[number];

/** What may follow on what; drawn in docs/state-machines.md, which a test compares. */
export const topUpTransitions: Record<TopUpStatus, readonly TopUpStatus[]> = {
  pending: ['paid', 'expired', 'failed'],
  paid: [],
  // Money that arrives is the tenant's, however late.
  expired: ['paid'],
  failed: ['paid'],
};

/** A payment into a wallet. */
export interface TopUp {
  readonly tenantId: TenantId;
  readonly topUpId: TopUpId;
  /** What was asked for, in minor units. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly status: TopUpStatus;
  /** The gateway's id; null until it has answered. */
  readonly sessionId: string | null;
  /** Where to pay; null until the gateway has answered. */
  readonly checkoutUrl: string | null;
  /** What was paid, in minor units; null unless paid. Credited is creditedAmount of it. */
  readonly paidAmount: number | null;
  /** What was refunded through the gateway and taken from the wallet for it, in minor units. */
  readonly refundTaken: number;
  /**
   * What the gateway reports as refunded; more than was taken while it is not credited, or not so much is available.
   */
  readonly refundReported: number;
  /** Why it ended as it did, where that is not plain. */
  readonly note: string | null;
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** What the gateway says of a checkout, in an event or when it is asked. */
export interface CheckoutReport {
  /** Ours, as we gave them to the gateway; they are only compared. */
  readonly tenantId: string;
  readonly topUpId: string;
  readonly sessionId: string;
  /** open: not paid yet. */
  readonly state: 'open' | 'paid' | 'expired' | 'failed';
  /** What was or is to be paid, in minor units. */
  readonly amount: number;
  /** ISO 4217, capital letters. */
  readonly currency: string;
}

/** What the gateway reports of a payment that was refunded in part or whole. */
export interface RefundReport {
  /** Ours, as we gave them to the gateway; they are only compared. */
  readonly tenantId: string;
  readonly topUpId: string;
  /** All refunds of the payment together, in minor units. */
  readonly amount: number;
  /** ISO 4217, capital letters. */
  readonly currency: string;
}

/**
 * What is still to be taken from the wallet for refunds, in minor units. Refunds are reported as a sum, so reports that
 * come twice or in the wrong order owe nothing; and before the payment is credited there is nothing to take. What was
 * paid beyond the requested amount is refunded first: it never came into the wallet.
 */
export function refundOwed({
  amount,
  paidAmount,
  refundReported,
  refundTaken,
}: Pick<TopUp, 'amount' | 'paidAmount' | 'refundReported' | 'refundTaken'>): number {
  const credited = creditedAmount({ amount, paidAmount });
  const held = (paidAmount ?? 0) - credited;
  return Math.max(0, Math.min(refundReported - held, credited) - refundTaken);
}

/** No more than was requested, whatever amount the gateway reports as paid. */
export function creditedAmount({ amount, paidAmount }: Pick<TopUp, 'amount' | 'paidAmount'>): number {
  return Math.min(amount, paidAmount ?? 0);
}

/** The effect of a report on a top-up. */
export type TopUpVerdict =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'credit'; readonly amount: number; readonly paidAmount: number; readonly note: string | null }
  | { readonly kind: 'end'; readonly status: 'expired' | 'failed'; readonly note: string | null };

/**
 * Reports of another session than ours, and reports that come again or too late, change nothing. What was paid is
 * credited, up to the requested amount: the operator decides about more. Another currency is not credited, because no
 * rate is known.
 */
export function evaluateTopUp(
  topUp: Pick<TopUp, 'status' | 'sessionId' | 'amount' | 'currency'>,
  report: CheckoutReport,
): TopUpVerdict {
  const foreign = topUp.sessionId !== null && topUp.sessionId !== report.sessionId;
  if (foreign || report.state === 'open') return { kind: 'nothing' };
  const wrongMoney = report.state === 'paid' && (report.currency !== topUp.currency || report.amount <= 0);
  const status = wrongMoney ? 'failed' : report.state;
  if (!topUpTransitions[topUp.status].includes(status)) return { kind: 'nothing' };
  if (status === 'paid') {
    const paidAmount = report.amount;
    return {
      kind: 'credit',
      amount: creditedAmount({ ...topUp, paidAmount }),
      paidAmount,
      note: noteOf(topUp, report),
    };
  }
  const note = wrongMoney
    ? `${moneyText(report.amount, report.currency)} was paid, which this wallet cannot accept.`
    : null;
  return { kind: 'end', status, note };
}

function noteOf(topUp: Pick<TopUp, 'amount' | 'currency'>, { amount }: CheckoutReport): string | null {
  if (amount <= topUp.amount) return amount < topUp.amount ? 'Less was paid than requested.' : null;
  const more = moneyText(amount - topUp.amount, topUp.currency);
  return `${more} more than requested was paid and is not credited. The operator decides what to do.`;
}

/** @param amount in minor units @param currency as the gateway spells it, shown unchanged */
function moneyText(amount: number, currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return `${amount} ${currency}`;
  const minorUnits = 1_000_000 / microsPerMinorUnit(currency);
  return `${(amount / minorUnits).toFixed(Math.log10(minorUnits))} ${currency}`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** When the gateway is asked next: after 1, 2, 4 … minutes, at last every hour. */
export function nextAskMs(asked: number, nowMs: number): number {
  return nowMs + Math.min(MINUTE_MS * 2 ** Math.min(asked, 10), HOUR_MS);
}

/** ISO 4217 gives these no decimals; the gateway counts them in hundredths all the same. */
const HUNDREDTHS_AT_GATEWAY: ReadonlySet<string> = new Set(['ISK', 'UGX']);

/** How many of the gateway's units make one of our minor units. */
export function gatewayUnits(currency: string): number {
  return HUNDREDTHS_AT_GATEWAY.has(currency) ? 100 : 1;
}

/** A checkout to be opened at the gateway. */
export interface CheckoutInput {
  readonly tenantId: TenantId;
  /** Also makes the request safe to repeat. */
  readonly topUpId: TopUpId;
  readonly amount: number;
  readonly currency: string;
}

export type OpenedCheckout =
  | { readonly kind: 'opened'; readonly sessionId: string; readonly url: string }
  /** The gateway does not take this payment, and would not next time. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** It could not be reached, or does not know us: nothing that the caller can mend. */
  | { readonly kind: 'unavailable'; readonly reason: string };

export type FoundCheckout =
  | { readonly kind: 'found'; readonly report: CheckoutReport }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** The payment gateway, as far as we need it. Its functions never reject. */
export interface PaymentGateway {
  openCheckout(wish: CheckoutInput): Promise<OpenedCheckout>;
  findCheckout(sessionId: string): Promise<FoundCheckout>;
  readonly findSubscription: FindSubscription;
}
