import { isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import type { SubscriptionStatus } from './subscription.ts';
import { type CheckoutReport, gatewayUnits, type RefundReport } from './top-up.ts';

/** What the gateway says of a subscription that is paid there. */
export interface SubscriptionReport {
  /** The gateway's id of the subscription. */
  readonly gatewayId: string;
  /** Null: a state that says nothing about ours, such as one whose first payment is not made yet. */
  readonly status: SubscriptionStatus | null;
  /** When the gateway made the event, exact to a second; or when we asked. Milliseconds. */
  readonly createdMs: number;
}

export type FoundSubscription =
  | { readonly kind: 'found'; readonly status: SubscriptionStatus | null }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Asks the gateway for a subscription; never rejects. */
export type FindSubscription = (gatewayId: string) => Promise<FoundSubscription>;

export type PaymentReport =
  | { readonly kind: 'checkout'; readonly report: CheckoutReport }
  | { readonly kind: 'refund'; readonly report: RefundReport }
  | { readonly kind: 'subscription'; readonly report: SubscriptionReport }
  | { readonly kind: 'other' };

/** The gateway's states of a subscription, and what each is here. */
const statusOf: ReadonlyMap<string, SubscriptionStatus> = new Map([
  ['active', 'active'],
  ['trialing', 'active'],
  ['past_due', 'past_due'],
  ['unpaid', 'past_due'],
  ['paused', 'paused'],
  ['canceled', 'canceled'],
  ['incomplete_expired', 'canceled'],
]);

/** Sorts an event whose signature was verified. What it does not know, or what lacks a field, is `other`. */
export function readPaymentEvent(event: JsonObject): PaymentReport {
  const { type, created, data } = event;
  const object = isJsonObject(data) && isJsonObject(data.object) ? data.object : {};
  if (typeof type !== 'string') return { kind: 'other' };
  if (type.startsWith('checkout.session.')) {
    const read = readCheckout(object);
    if (read === null) return { kind: 'other' };
    return { kind: 'checkout', report: type === 'checkout.session.async_payment_failed' ? failed(read) : read };
  }
  if (type === 'charge.refunded') {
    const report = readRefund(object);
    return report === null ? { kind: 'other' } : { kind: 'refund', report };
  }
  if (!type.startsWith('customer.subscription.') || typeof object.id !== 'string' || !isTime(created)) {
    return { kind: 'other' };
  }
  const status = readSubscriptionStatus(object.status);
  // Nothing can precede the creation, so of the events of its second it is the first.
  const createdMs = created * 1000 - (type === 'customer.subscription.created' ? 1 : 0);
  return { kind: 'subscription', report: { gatewayId: object.id, status, createdMs } };
}

/** What the gateway's state of a subscription is here; null: nothing. */
export function readSubscriptionStatus(status: JsonValue | undefined): SubscriptionStatus | null {
  return typeof status === 'string' ? (statusOf.get(status) ?? null) : null;
}

function failed(read: CheckoutReport): CheckoutReport {
  return read.state === 'open' ? { ...read, state: 'failed' } : read;
}

/** A checkout session of the gateway; null when it is none of a top-up. */
export function readCheckout(session: JsonObject): CheckoutReport | null {
  const { id, mode, metadata, amount_total: total, currency } = session;
  const { tenant_id: tenantId, topup_id: topUpId } = isJsonObject(metadata) ? metadata : {};
  if (mode !== 'payment' || typeof id !== 'string' || !isAmount(total)) return null;
  if (typeof currency !== 'string' || typeof tenantId !== 'string' || typeof topUpId !== 'string') return null;
  const money = currency.toUpperCase();
  const amount = Math.floor(total / gatewayUnits(money));
  return {
    tenantId,
    topUpId,
    sessionId: id,
    state: stateOf(session.status, session.payment_status),
    amount,
    currency: money,
  };
}

/** A charge of which something was refunded; null when it is none of a top-up. Its metadata are the payment's. */
function readRefund({ metadata, amount_refunded: refunded, currency }: JsonObject): RefundReport | null {
  const { tenant_id: tenantId, topup_id: topUpId } = isJsonObject(metadata) ? metadata : {};
  if (!isAmount(refunded) || typeof currency !== 'string') return null;
  if (typeof tenantId !== 'string' || typeof topUpId !== 'string') return null;
  const money = currency.toUpperCase();
  return { tenantId, topUpId, amount: Math.floor(refunded / gatewayUnits(money)), currency: money };
}

/** "complete" alone is not enough: some ways to pay settle days later. */
function stateOf(status: JsonValue | undefined, paid: JsonValue | undefined): CheckoutReport['state'] {
  if (paid === 'paid') return 'paid';
  return status === 'expired' ? 'expired' : 'open';
}

/** What the gateway last reported of a subscription; null: nothing yet. */
export interface HeardFromGateway {
  readonly status: SubscriptionStatus | null;
  readonly createdMs: number | null;
}

/** Events are dated to the second: of two that share one, the state that comes later in this row counts. */
const laterInOneSecond: readonly SubscriptionStatus[] = ['paused', 'trialing', 'past_due', 'active', 'canceled'];

/** Whether an event is later than what is known, in whatever order the events arrive. */
export function isNewer(
  report: { readonly status: SubscriptionStatus; readonly createdMs: number },
  heard: HeardFromGateway,
): boolean {
  if (heard.createdMs === null || heard.status === null) return true;
  if (report.createdMs !== heard.createdMs) return report.createdMs > heard.createdMs;
  return laterInOneSecond.indexOf(report.status) > laterInOneSecond.indexOf(heard.status);
}

/** Money in the smallest units of the gateway: a whole number that arithmetic keeps exact. */
function isAmount(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Seconds since 1970 that can be a date. */
function isTime(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && value >= 0 && value < 1e11;
}
