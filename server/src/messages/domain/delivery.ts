import type { MessageStatus } from './message.ts';

/**
 * pending: not with the network yet · accepted: the network answered with its id · sent, delivered, read: what its
 * statuses said · failed: refused or reported failed · unknown: a send went out and no answer came back.
 */
export type DeliveryState = 'pending' | 'accepted' | 'sent' | 'delivered' | 'read' | 'failed' | 'unknown';

/** How far a state is; a status moves a row only to a higher rank. Failed is the highest, so it wins in any order. */
export const deliveryRank: Record<DeliveryState, number> = {
  pending: 0,
  unknown: 1,
  accepted: 2,
  sent: 3,
  delivered: 4,
  read: 5,
  failed: 6,
};

/** Steps may be left out: the network skips `delivered` when the chat is open, and may report before it answers. */
export const deliveryTransitions: Record<DeliveryState, readonly DeliveryState[]> = {
  pending: ['accepted', 'sent', 'delivered', 'read', 'failed', 'unknown'],
  // Back to pending: the wait for a status is over and the tenant's policy is to send again.
  unknown: ['pending', 'accepted', 'sent', 'delivered', 'read', 'failed'],
  accepted: ['sent', 'delivered', 'read', 'failed'],
  sent: ['delivered', 'read', 'failed'],
  delivered: ['read', 'failed'],
  read: ['failed'],
  // To pending: a requeue. To the others: a failure that we only concluded ourselves yields to a status of the network.
  failed: ['pending', 'sent', 'delivered', 'read'],
};

/** The contract's four values (its section 3). */
export const messageStatusTransitions: Record<MessageStatus, readonly MessageStatus[]> = {
  // To sent: a status for an earlier attempt came while another one waited. To failed: that status said so, or it was
  // canceled, or expired while its number was paused.
  queued: ['sending', 'sent', 'failed'],
  // To queued: the attempt failed in a way that allows another.
  sending: ['sent', 'failed', 'queued'],
  // To failed: a status reported it after the network had taken it.
  sent: ['failed'],
  // To queued: a requeue. To sent: the network's word against a failure that we only concluded ourselves.
  failed: ['queued', 'sent'],
};

/** Milliseconds since 1970, each the earliest that the network gave; null when it never said so. */
export interface DeliveryTimes {
  readonly acceptedAt: number | null;
  readonly sentAt: number | null;
  readonly deliveredAt: number | null;
  readonly readAt: number | null;
  readonly failedAt: number | null;
}

/** Why the network failed a message, as it said it. */
export interface NetworkError {
  readonly networkCode: number;
  readonly title: string;
  readonly details: string | null;
}

/** What the network charges for a message, as it said it. */
export interface NetworkPricing {
  readonly category: string | null;
  readonly billable: boolean | null;
  readonly model: string | null;
  readonly type: string | null;
}

export interface DeliveryRow extends DeliveryTimes {
  readonly state: DeliveryState;
  readonly error: NetworkError | null;
  readonly pricing: NetworkPricing | null;
}

/** One status of the network for one message. A StatusItem of `callback.ts` is one. */
export interface StatusChange {
  readonly status: 'sent' | 'delivered' | 'read' | 'failed';
  /** Milliseconds since 1970, the network's clock. */
  readonly at: number;
  readonly error: NetworkError | null;
  readonly pricing: NetworkPricing | null;
}

/** The row of a message that was never sent. */
export const pendingDelivery: DeliveryRow = {
  state: 'pending',
  acceptedAt: null,
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  failedAt: null,
  error: null,
  pricing: null,
};

const timeOf = { sent: 'sentAt', delivered: 'deliveredAt', read: 'readAt', failed: 'failedAt' } as const;

/**
 * The row after a status. Commutative, associative and idempotent, so statuses may come twice and in any order: the
 * state is the highest rank, a time the earliest, and of two errors or two prices one wins by its value alone. Returns
 * the same object when the status changes nothing, so that a caller can skip the write.
 */
export function applyStatus(row: DeliveryRow, status: StatusChange): DeliveryRow {
  const timeKey = timeOf[status.status];
  const known = row[timeKey];
  const at = known === null ? status.at : Math.min(known, status.at);
  const state = deliveryRank[status.status] > deliveryRank[row.state] ? status.status : row.state;
  const error = status.status === 'failed' ? prefer(row.error, status.error, errorKey) : row.error;
  const pricing = prefer(row.pricing, status.pricing, pricingKey);
  const unchanged = at === known && state === row.state && error === row.error && pricing === row.pricing;
  return unchanged ? row : { ...row, state, [timeKey]: at, error, pricing };
}

/**
 * Of two values the one with the smaller key, and any value before none. The network documents one error and one
 * price per message; if it ever gives two, choosing by value needs no further column and no order of arrival.
 */
function prefer<T>(known: T | null, fresh: T | null, keyOf: (value: T) => string): T | null {
  if (fresh === null) return known;
  if (known === null) return fresh;
  return keyOf(fresh) < keyOf(known) ? fresh : known;
}

function errorKey(error: NetworkError): string {
  return JSON.stringify([error.networkCode, error.title, error.details]);
}

/** A billable price comes first: a message that was charged once was charged. */
function pricingKey(pricing: NetworkPricing): string {
  const charge = [true, false, null].indexOf(pricing.billable);
  return JSON.stringify([charge, pricing.category, pricing.model, pricing.type]);
}
