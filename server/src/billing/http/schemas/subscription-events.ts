import Type from 'typebox';
import { subscriptionStatuses } from '#billing/domain/subscription';
import type { EventType } from '#events/domain/event';
import type { EventDescription } from '#http/schemas/events/description';
import { choiceOf, named, nullableTime } from '#http/schemas/fields';

const Subscription = Type.Object(
  {
    plan_id: Type.String({ description: 'Id of the plan.' }),
    status: choiceOf(subscriptionStatuses, named('SubscriptionStatus', 'State of the subscription.')),
    trial_ends_at: nullableTime('When the trial ends or ended.'),
    cancel_at: nullableTime('When the subscription ends.'),
    changes: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: { type: 'array', minItems: 2, maxItems: 2 },
      description: 'The old and the new value of each field that changed.',
    }),
  },
  { description: 'The subscription of the tenant, and what changed.' },
);

/** What events of subscriptions carry. */
export const subscriptionEvents: Partial<Record<EventType, EventDescription>> = {
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
};
