import Type from 'typebox';
import { subscriptionStatuses } from '#billing/domain/subscription';
import type { EventType } from '#events/domain/event';
import { type EventDescription, fieldChanges } from '#http/schemas/events/description';
import { choiceOf, named, nullableTime, time, viewOf } from '#http/schemas/fields';

const Subscription = viewOf("The tenant's subscription, and what changed.", {
  plan_id: Type.String({ description: 'ID of the plan.' }),
  status: choiceOf(subscriptionStatuses, named('SubscriptionStatus', 'State of the subscription.')),
  trial_ends_at: nullableTime('When the trial ends or ended.'),
  cancel_at: nullableTime('When the subscription ends.'),
  changes: fieldChanges,
});

const UsageThreshold = viewOf('Usage of the monthly fair-use limit.', {
  threshold: choiceOf(['warning', 'exceeded'], "warning: the plan's warning level. exceeded: the whole limit."),
  percent: Type.Integer({ description: 'Percentage of the fair-use limit that was reached.' }),
  used: Type.Integer({ description: 'Outbound messages of the month at that time.' }),
  limit: Type.Integer({ description: 'Outbound messages per month within fair use.' }),
  enforcement: choiceOf(['soft', 'hard'], 'hard: messages beyond the limit are rejected.'),
  month: Type.String({ description: 'The calendar month (UTC), such as 2030-01.' }),
  resets_at: time('When the next month starts.'),
});

const LowBalance = viewOf('A wallet with a low balance.', {
  currency: Type.String({ description: 'ISO 4217 code.' }),
  available: Type.Integer({ description: 'Available balance, in minor units.' }),
  threshold: Type.Integer({ description: "The plan's low-balance threshold, in minor units." }),
});

/** What events of subscriptions, usage and wallets carry. */
export const billingEvents: Partial<Record<EventType, EventDescription>> = {
  'subscription.updated': {
    data: Subscription,
    example: {
      plan_id: 'pro',
      status: 'past_due',
      trial_ends_at: null,
      cancel_at: null,
      changes: { status: ['active', 'past_due'] },
    },
  },
  'usage.threshold': {
    data: UsageThreshold,
    example: {
      threshold: 'warning',
      percent: 80,
      used: 8_012,
      limit: 10_000,
      enforcement: 'hard',
      month: '2030-01',
      resets_at: '2030-02-01T00:00:00.000Z',
    },
  },
  'wallet.low_balance': { data: LowBalance, example: { currency: 'EUR', available: 412, threshold: 500 } },
};
