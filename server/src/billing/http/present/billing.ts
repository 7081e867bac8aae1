import type { MonthlyUsage, SubscriptionNow } from '#billing/actions/read-usage';
import type { Plan } from '#billing/domain/subscription';
import { monthName } from '#core/calendar';
import type { JsonObject } from '#core/json';
import { formatRfc3339 } from '#http/validation/rfc3339';

/** The plan, where the subscription stands, and whether messages are taken. */
export function presentSubscription({ subscription, status, period, gate }: SubscriptionNow): JsonObject {
  return {
    plan: presentPlan(subscription.plan),
    status,
    current_period_start: formatRfc3339(period.startMs),
    current_period_end: formatRfc3339(period.endMs),
    trial_ends_at: timeOrNull(subscription.trialEndsMs),
    cancel_at: timeOrNull(subscription.cancelAtMs),
    gate: { open: gate.open, reason: gate.reason },
  };
}

function presentPlan(plan: Plan): JsonObject {
  return {
    id: plan.planId,
    name: plan.name,
    price: plan.priceMinorUnits,
    currency: plan.currency,
    interval: plan.interval,
    limits: {
      messages_per_month: plan.fairUseMessages,
      enforcement: plan.fairUseEnforcement,
      media_bytes: plan.mediaBytes,
    },
  };
}

/** What was used in a month, and how much of the fair use that is. */
export function presentUsage({ period, usage, fairUse }: MonthlyUsage): JsonObject {
  return {
    period: {
      month: monthName(period.startMs),
      start: formatRfc3339(period.startMs),
      end: formatRfc3339(period.endMs),
    },
    outbound: usage.outbound,
    inbound: usage.inbound,
    by_type: usage.byType,
    by_category: usage.byCategory,
    by_number: usage.byNumber,
    media_bytes: usage.mediaBytes,
    conversations: usage.conversations,
    fair_use: {
      limit: fairUse.limit,
      used: fairUse.used,
      remaining: fairUse.remaining,
      percent: fairUse.percent,
      state: fairUse.state,
      enforcement: fairUse.enforcement,
      resets_at: formatRfc3339(period.endMs),
    },
  };
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : formatRfc3339(ms);
}
