import Type from 'typebox';
import { topUpStatuses } from '#billing/domain/top-up';
import { choiceOf, named, nullableText, time, uuid } from '#http/schemas/fields';

/** Minor units: as much as every payment gateway takes at once. The settings of the server may allow less. */
const MAX_AMOUNT = 99_999_999;

/** The body of `POST /v1/wallet/topups`. */
export const BeginTopUp = Type.Object(
  {
    amount: Type.Integer({ minimum: 1, maximum: MAX_AMOUNT, description: 'Minor units of the currency.' }),
    currency: Type.String({ minLength: 3, maxLength: 3, description: 'ISO 4217; that of the wallet.' }),
  },
  { additionalProperties: false, description: 'How much to pay in.' },
);

/** The answer of `POST /v1/wallet/topups`. */
export const BegunTopUpView = Type.Object(
  {
    id: uuid('Id of the top-up.'),
    status: choiceOf(['pending'], 'It waits for the payment.'),
    checkout_url: Type.String({ description: 'The page to pay on.' }),
  },
  named('BegunTopUp', 'A top-up that waits for its payment.'),
);

/** The answer of `GET /v1/wallet/topups/{id}`. */
export const TopUpView = Type.Object(
  {
    id: uuid('Id of the top-up.'),
    status: choiceOf(
      topUpStatuses,
      'pending: not paid yet. paid: in the wallet. expired: the page to pay on has ended. failed: it came to nothing.',
    ),
    amount: Type.Integer({ description: 'What was asked for, in minor units.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    paid_amount: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'What was paid, in minor units; null until it is paid. No more than `amount` of it is credited.',
    }),
    refunded_amount: Type.Integer({
      description: 'What went back through the gateway and was taken from the wallet for it, in minor units.',
    }),
    checkout_url: nullableText('The page to pay on; null unless it is pending.'),
    note: nullableText('Why it ended as it did, where that is not plain.'),
    created_at: time('When it was begun.'),
    updated_at: time('When it last changed.'),
  },
  named('TopUp', 'A payment into the wallet.'),
);

const id = '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f21';

export const begunTopUpExample = {
  id,
  status: 'pending',
  checkout_url: 'https://checkout.stripe.com/c/pay/cs_live_a1B2c3',
};

export const topUpExample = {
  id,
  status: 'paid',
  amount: 5000,
  currency: 'EUR',
  paid_amount: 5000,
  refunded_amount: 0,
  checkout_url: null,
  note: null,
  created_at: '2026-11-20T10:15:30.000Z',
  updated_at: '2026-11-20T10:16:42.000Z',
};
