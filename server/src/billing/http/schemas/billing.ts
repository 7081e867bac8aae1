import Type from 'typebox';
import { subscriptionStatuses } from '#billing/domain/subscription';
import { choiceOf, named, nullableText, nullableTime, time } from '#http/schemas/fields';

const enforcements = ['soft', 'hard'] as const;

function nullableWhole(description: string) {
  return Type.Unsafe<number | null>({ type: ['integer', 'null'], description });
}

function countsBy(what: string) {
  return Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: what,
  });
}

const PlanObject = Type.Object(
  {
    id: Type.String({ description: 'Id of the plan.' }),
    name: Type.String({ description: 'Name of the plan.' }),
    price: Type.Integer({ description: 'Price per interval, in minor units of the currency.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    interval: choiceOf(['month', 'year'], 'How long one price lasts.'),
    limits: Type.Object(
      {
        messages_per_month: nullableWhole('Outbound messages of a calendar month that are fair use; null: no limit.'),
        enforcement: choiceOf(enforcements, 'soft: more is taken and shown. hard: more is refused.'),
        media_bytes: nullableWhole('Bytes of media kept at a time; null: no limit.'),
      },
      { description: 'What may be used.' },
    ),
  },
  named('Plan', 'The plan of the tenant.'),
);

/** The answer of `GET /v1/subscription`. */
export const SubscriptionObject = Type.Object(
  {
    plan: PlanObject,
    status: choiceOf(subscriptionStatuses, named('SubscriptionStatus', 'State of the subscription.')),
    current_period_start: time('When the current period began.'),
    current_period_end: time('When the current period ends.'),
    trial_ends_at: nullableTime('When the trial ends or ended.'),
    cancel_at: nullableTime('When the subscription ends.'),
    gate: Type.Object(
      {
        open: Type.Boolean({ description: 'Whether messages are taken.' }),
        reason: nullableText('Why not; null when they are.'),
      },
      { description: 'Whether messages are taken.' },
    ),
  },
  named('Subscription', 'The plan of the tenant, and whether messages are taken.'),
);

const FairUseObject = Type.Object(
  {
    limit: nullableWhole('Outbound messages of the month that are fair use; null: no limit.'),
    used: Type.Integer({ description: 'Outbound messages of the month.' }),
    remaining: nullableWhole('What is left; null: no limit.'),
    percent: nullableWhole('used of limit in whole percent, rounded down; null: no limit.'),
    state: choiceOf(['ok', 'warning', 'exceeded'], 'exceeded: nothing is left.'),
    enforcement: choiceOf(enforcements, 'hard: messages beyond the limit are refused.'),
    resets_at: time('When the next month begins.'),
  },
  named('FairUse', 'How much of the fair use of the plan is used.'),
);

/** The answer of `GET /v1/usage`. */
export const UsageObject = Type.Object(
  {
    period: Type.Object(
      {
        month: Type.String({ description: 'The calendar month (UTC), as YYYY-MM.' }),
        start: time('Its beginning.'),
        end: time('The beginning of the next one.'),
      },
      { description: 'The month that is counted.' },
    ),
    outbound: Type.Integer({ description: 'Messages accepted for sending.' }),
    inbound: Type.Integer({ description: 'Messages received.' }),
    by_type: countsBy('Outbound messages by type.'),
    by_category: countsBy('Outbound messages that the network has priced, by its category.'),
    by_number: countsBy('Outbound messages by phone_number_id.'),
    media_bytes: Type.Integer({ description: 'Bytes of media uploaded and received.' }),
    conversations: Type.Integer({ description: 'Conversations opened.' }),
    fair_use: FairUseObject,
  },
  named('Usage', 'What was used in one calendar month (UTC).'),
);

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
