import Type from 'typebox';
import type { EventType } from '#events/domain/event';
import type { EventDescription } from '#http/schemas/events/description';
import { choiceOf, time } from '#http/schemas/fields';

const UsageThreshold = Type.Object(
  {
    threshold: choiceOf(['warning', 'exceeded'], 'warning: the share that the plan warns at; exceeded: all of it.'),
    percent: Type.Integer({ description: 'The share of the fair use that was crossed, in percent.' }),
    used: Type.Integer({ description: 'Outbound messages of the month when this was noticed.' }),
    limit: Type.Integer({ description: 'Outbound messages of a month that are fair use.' }),
    enforcement: choiceOf(['soft', 'hard'], 'hard: messages beyond the limit are refused.'),
    month: Type.String({ description: 'The calendar month (UTC), such as 2030-01.' }),
    resets_at: time('When the next month begins to be counted.'),
  },
  { description: 'How much of the fair use of a month is gone.' },
);

const LowBalance = Type.Object(
  {
    currency: Type.String({ description: 'ISO 4217.' }),
    available: Type.Integer({ description: 'What can be spent, in minor units.' }),
    threshold: Type.Integer({ description: 'Below this the wallet counts as low, in minor units; the plan says so.' }),
  },
  { description: 'A wallet that runs low.' },
);

/** What events of usage and wallets carry. */
export const billingEvents: Partial<Record<EventType, EventDescription>> = {
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
