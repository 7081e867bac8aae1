import {
  currentPeriod,
  type FairUse,
  fairUseGate,
  fairUseOf,
  type Subscription,
  type SubscriptionGate,
  type SubscriptionStatus,
  statusAt,
  subscriptionGate,
} from '#billing/domain/subscription';
import { findSubscription } from '#billing/store/subscriptions';
import { countOutbound, readUsage, type Usage } from '#billing/store/usage';
import { monthAt, type Period } from '#core/calendar';
import type { TenantId } from '#core/ids';
import type { Database } from '#database/database';

/** The subscription of a tenant at one moment. */
export interface SubscriptionNow {
  readonly subscription: Subscription;
  readonly status: SubscriptionStatus;
  readonly period: Period;
  readonly gate: SubscriptionGate;
}

export async function readSubscription(db: Database, tenantId: TenantId, nowMs: number): Promise<SubscriptionNow> {
  const subscription = await findSubscription(db, tenantId);
  const used = await countOutbound(db, tenantId, monthAt(nowMs));
  const gate = subscriptionGate(subscription, nowMs);
  return {
    subscription,
    status: statusAt(subscription, nowMs),
    period: currentPeriod(subscription, nowMs),
    gate: gate.open ? fairUseGate(fairUseOf(subscription.plan, used)) : gate,
  };
}

/** What a tenant used in one calendar month (UTC). */
export interface MonthlyUsage {
  readonly period: Period;
  readonly usage: Usage;
  readonly fairUse: FairUse;
}

/** @param month a whole calendar month; its fair use is that of the plan that the tenant has now */
export async function readMonthlyUsage(db: Database, tenantId: TenantId, month: Period): Promise<MonthlyUsage> {
  const { plan } = await findSubscription(db, tenantId);
  const usage = await readUsage(db, tenantId, month);
  return { period: month, usage, fairUse: fairUseOf(plan, usage.outbound) };
}
