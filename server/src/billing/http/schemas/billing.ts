import Type from 'typebox';
import { subscriptionStatuses } from '#billing/domain/subscription';
import { choiceOf, named, nullableInteger, nullableText, nullableTime, time, viewOf } from '#http/schemas/fields';

const enforcements = ['soft', 'hard'] as const;

function countsBy(what: string) {
  return Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: what,
  });
}

const PlanObject = viewOf(named('Plan', "The tenant's plan."), {
  id: Type.String({ description: 'ID of the plan.' }),
  name: Type.String({ description: 'Name of the plan.' }),
  price: Type.Integer({ description: 'Price per interval, in minor units of the currency.' }),
  currency: Type.String({ description: 'ISO 4217 code.' }),
  interval: choiceOf(['month', 'year'], 'Billing interval.'),
  limits: viewOf('Limits of the plan.', {
    messages_per_month: nullableInteger('Outbound messages per calendar month within fair use. Null: no limit.'),
    enforcement: choiceOf(
      enforcements,
      'soft: messages beyond the limit are accepted and reported. hard: they are rejected.',
    ),
    media_bytes: nullableInteger('Maximum bytes of stored media. Null: no limit.'),
  }),
});

/** The answer of `GET /v1/subscription`. */
export const SubscriptionObject = viewOf(
  named('Subscription', "The tenant's plan, and whether messages are accepted."),
  {
    plan: PlanObject,
    status: choiceOf(subscriptionStatuses, named('SubscriptionStatus', 'State of the subscription.')),
    current_period_start: time('When the current period started.'),
    current_period_end: time('When the current period ends.'),
    trial_ends_at: nullableTime('When the trial ends or ended.'),
    cancel_at: nullableTime('When the subscription ends.'),
    gate: viewOf('Whether messages are accepted.', {
      open: Type.Boolean({ description: 'Whether messages are accepted.' }),
      reason: nullableText('Why messages are not accepted. Null if they are.'),
    }),
  },
);

const FairUseObject = viewOf(named('FairUse', "Usage of the plan's fair-use limit."), {
  limit: nullableInteger('Monthly limit of outbound messages. Null: no limit.'),
  used: Type.Integer({ description: 'Outbound messages this month.' }),
  remaining: nullableInteger('Messages remaining. Null: no limit.'),
  percent: nullableInteger('Percentage of the limit used, rounded down. Null: no limit.'),
  state: choiceOf(['ok', 'warning', 'exceeded'], 'exceeded: the limit is used up.'),
  enforcement: choiceOf(enforcements, 'hard: messages beyond the limit are rejected.'),
  resets_at: time('When the next month starts.'),
});

/** The answer of `GET /v1/usage`. */
export const UsageObject = viewOf(named('Usage', 'Usage of one calendar month (UTC).'), {
  period: viewOf('The month.', {
    month: Type.String({ description: 'The calendar month (UTC), as YYYY-MM.' }),
    start: time('Start of the month.'),
    end: time('Start of the next month.'),
  }),
  outbound: Type.Integer({ description: 'Messages accepted for sending.' }),
  inbound: Type.Integer({ description: 'Messages received.' }),
  by_type: countsBy('Outbound messages by type.'),
  by_category: countsBy('Outbound messages that the network has priced, by its category.'),
  by_number: countsBy('Outbound messages by phone_number_id.'),
  media_bytes: Type.Integer({ description: 'Bytes of media uploaded and received.' }),
  conversations: Type.Integer({ description: 'Conversations opened.' }),
  fair_use: FairUseObject,
});

export const subscriptionExample = {
  plan: {
    id: 'standard',
    name: 'Standard',
    price: 0,
    currency: 'EUR',
    interval: 'month',
    limits: { messages_per_month: 100_000, enforcement: 'soft', media_bytes: null },
  },
  status: 'active',
  current_period_start: '2026-11-01T00:00:00.000Z',
  current_period_end: '2026-12-01T00:00:00.000Z',
  trial_ends_at: null,
  cancel_at: null,
  gate: { open: true, reason: null },
};

export const usageExample = {
  period: { month: '2026-11', start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' },
  outbound: 1250,
  inbound: 310,
  by_type: { template: 900, text: 350 },
  by_category: { marketing: 600, service: 320, utility: 300 },
  by_number: { '106540352242922': 1250 },
  media_bytes: 0,
  conversations: 210,
  fair_use: {
    limit: 100_000,
    used: 1250,
    remaining: 98_750,
    percent: 1,
    state: 'ok',
    enforcement: 'soft',
    resets_at: '2026-12-01T00:00:00.000Z',
  },
};
