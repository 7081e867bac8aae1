import Type from 'typebox';
import {
  type MonthlyUsage,
  readMonthlyUsage,
  readSubscription,
  type SubscriptionNow,
} from '#billing/actions/read-usage';
import type { Plan } from '#billing/domain/subscription';
import { MONTH_NAME, monthAt, monthName, monthNamed } from '#core/calendar';
import type { JsonObject } from '#core/json';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { PATTERN_SENTENCE, queryOf, withExample } from '#http/schemas/fields';
import { formatRfc3339, timeOrNull } from '#http/validation/rfc3339';
import { SubscriptionObject, subscriptionExample, UsageObject, usageExample } from './schemas/billing.ts';

const getSubscriptionRoute = defineOperation({
  method: 'GET',
  path: '/v1/subscription',
  operationId: 'getSubscription',
  summary: 'Get the subscription',
  description: "Returns the tenant's plan, the state of its subscription, and whether messages are accepted.",
  tag: 'Billing',
  scope: 'billing:read',
  answer: {
    status: 200,
    description: 'The subscription.',
    schema: SubscriptionObject,
    example: subscriptionExample,
  },
  handle:
    ({ rt, db }) =>
    async (request) =>
      presentSubscription(await readSubscription(db, principalOf(request).tenantId, rt.clock.now())),
});

const getUsageRoute = defineOperation({
  method: 'GET',
  path: '/v1/usage',
  operationId: 'getUsage',
  summary: 'Get the usage of a month',
  description: "Returns what was used in one calendar month (UTC), and how much of the plan's fair use that is.",
  tag: 'Billing',
  scope: 'billing:read',
  query: queryOf({
    month: Type.Optional(
      withExample(
        Type.String({
          pattern: MONTH_NAME,
          [PATTERN_SENTENCE]: 'must be a month of the years 2000 to 8999, such as 2026-11',
          description: 'A calendar month (UTC) as YYYY-MM. Default: the current month.',
        }),
        '2030-01',
      ),
    ),
  }),
  answer: { status: 200, description: 'The usage of the month.', schema: UsageObject, example: usageExample },
  handle: (context) => async (request) => {
    const named = request.query.month === undefined ? null : monthNamed(request.query.month);
    const month = named ?? monthAt(context.rt.clock.now());
    return presentUsage(await readMonthlyUsage(context.db, principalOf(request).tenantId, month));
  },
});

/** In the order of the documentation. */
export const subscriptionOperations: readonly Operation[] = [getSubscriptionRoute, getUsageRoute];

/** The plan, where the subscription stands, and whether messages are taken. */
function presentSubscription({ subscription, status, period, gate }: SubscriptionNow): JsonObject {
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
function presentUsage({ period, usage, fairUse }: MonthlyUsage): JsonObject {
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
