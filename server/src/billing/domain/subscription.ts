import { monthAt, type Period, periodAt } from '#core/calendar';

/** What a tenant may use, and what it costs. */
export interface Plan {
  /** A slug such as `standard`. */
  readonly planId: string;
  readonly name: string;
  /** Per interval, in minor units of the currency. */
  readonly priceMinorUnits: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly interval: 'month' | 'year';
  /** Outbound messages per calendar month (UTC); null: no limit. */
  readonly fairUseMessages: number | null;
  readonly fairUseEnforcement: 'soft' | 'hard';
  readonly fairUseWarningPercent: number;
  /** Media kept at a time; null: no limit. */
  readonly mediaBytes: number | null;
  readonly graceDays: number;
  /** Below this, in millionths of the currency, an event reports that the wallet is low; null: never. */
  readonly lowBalanceMicros: number | null;
  readonly isDefault: boolean;
}

export const subscriptionStatuses = ['trialing', 'active', 'past_due', 'paused', 'canceled'] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** What may follow on what; drawn in docs/state-machines.md, which a test compares. */
export const subscriptionTransitions: Record<SubscriptionStatus, readonly SubscriptionStatus[]> = {
  trialing: ['active', 'past_due', 'paused', 'canceled'],
  active: ['past_due', 'paused', 'canceled'],
  past_due: ['active', 'paused', 'canceled'],
  paused: ['active', 'canceled'],
  // To active: the operator takes the tenant back.
  canceled: ['active'],
};

/** A subscription as it is stored. */
export interface Subscription {
  readonly plan: Plan;
  readonly status: SubscriptionStatus;
  /** The start of its periods; null: calendar months, of a tenant without a subscription. */
  readonly anchorMs: number | null;
  readonly trialEndsMs: number | null;
  readonly cancelAtMs: number | null;
  readonly pastDueSinceMs: number | null;
}

/** Whether messages are taken, and if not, why not. */
export type SubscriptionGate =
  | { readonly open: true; readonly reason: null }
  | { readonly open: false; readonly reason: string };

const DAY_MS = 24 * 60 * 60 * 1000;

/** The state at this moment: a trial that is over and a cancellation that is due take effect without a job. */
export function statusAt(subscription: Subscription, nowMs: number): SubscriptionStatus {
  const { status, trialEndsMs, cancelAtMs } = subscription;
  if (cancelAtMs !== null && cancelAtMs <= nowMs) return 'canceled';
  if (status === 'trialing' && trialEndsMs !== null && trialEndsMs <= nowMs) return 'active';
  return status;
}

/** The period that is paid for or tried out at this moment. */
export function currentPeriod({ plan, anchorMs }: Subscription, nowMs: number): Period {
  if (anchorMs === null) return monthAt(nowMs);
  return periodAt(anchorMs, plan.interval === 'year' ? 12 : 1, nowMs);
}

/** Refuses a canceled subscription, and one that is past due for longer than its plan's grace. */
export function subscriptionGate(subscription: Subscription, nowMs: number): SubscriptionGate {
  const status = statusAt(subscription, nowMs);
  const { plan, pastDueSinceMs } = subscription;
  if (status === 'canceled') return { open: false, reason: 'The subscription is canceled.' };
  const graceEndsMs = (pastDueSinceMs ?? nowMs) + plan.graceDays * DAY_MS;
  if (status === 'past_due' && nowMs >= graceEndsMs) {
    return { open: false, reason: `A payment is overdue, and the grace period of ${plan.graceDays} days is over.` };
  }
  return { open: true, reason: null };
}

/** How much of the fair use of a month is used. */
export interface FairUse {
  /** Null: no limit. */
  readonly limit: number | null;
  readonly used: number;
  readonly remaining: number | null;
  /** Whole percent, rounded down; more than 100 beyond a soft limit. */
  readonly percent: number | null;
  readonly state: 'ok' | 'warning' | 'exceeded';
  readonly enforcement: 'soft' | 'hard';
}

/** @param used outbound messages of the month */
export function fairUseOf(plan: Plan, used: number): FairUse {
  const { fairUseMessages: limit, fairUseEnforcement: enforcement } = plan;
  if (limit === null) return { limit, used, remaining: null, percent: null, state: 'ok', enforcement };
  const percent = limit === 0 ? 100 : Math.floor((used * 100) / limit);
  const warned = percent >= plan.fairUseWarningPercent;
  const state = used >= limit ? 'exceeded' : warned ? 'warning' : 'ok';
  return { limit, used, remaining: Math.max(0, limit - used), percent, state, enforcement };
}

/** Whether a further message is refused for the usage of the month. */
export function fairUseGate(fairUse: FairUse): SubscriptionGate {
  if (fairUse.enforcement === 'soft' || fairUse.state !== 'exceeded') return { open: true, reason: null };
  return { open: false, reason: `The ${fairUse.limit} messages of this month are used up.` };
}
