import Type from 'typebox';
import { topUpStatuses } from '#billing/domain/top-up';
import { choiceOf, named, nullableInteger, nullableText, strictObject, time, uuid, viewOf } from '#http/schemas/fields';

/** Minor units: as much as every payment gateway takes at once. The settings of the server may allow less. */
const MAX_AMOUNT = 99_999_999;

/** The body of `POST /v1/wallet/topups`. */
export const BeginTopUp = strictObject('Amount to pay in.', {
  amount: Type.Integer({ minimum: 1, maximum: MAX_AMOUNT, description: 'Amount in minor units of the currency.' }),
  currency: Type.String({ minLength: 3, maxLength: 3, description: "ISO 4217 code of the wallet's currency." }),
});

/** The answer of `POST /v1/wallet/topups`. */
export const BegunTopUpView = viewOf(named('BegunTopUp', 'A top-up that awaits payment.'), {
  id: uuid('ID of the top-up.'),
  status: choiceOf(['pending'], 'Awaiting payment.'),
  checkout_url: Type.String({ description: 'URL of the payment page.' }),
});

/** The answer of `GET /v1/wallet/topups/{id}`. */
export const TopUpView = viewOf(named('TopUp', 'A payment into the wallet.'), {
  id: uuid('ID of the top-up.'),
  status: choiceOf(
    topUpStatuses,
    'pending: not paid yet. paid: credited to the wallet. expired: the payment page expired. failed: nothing was paid.',
  ),
  amount: Type.Integer({ description: 'Requested amount, in minor units.' }),
  currency: Type.String({ description: 'ISO 4217 code.' }),
  paid_amount: nullableInteger('Amount paid, in minor units. Null until it is paid. At most `amount` is credited.'),
  refunded_amount: Type.Integer({
    description: 'Amount refunded through the gateway and deducted from the wallet, in minor units.',
  }),
  checkout_url: nullableText('URL of the payment page. Null unless pending.'),
  note: nullableText('Explanation of the outcome, if needed.'),
  created_at: time('When it was started.'),
  updated_at: time(named('UpdatedAt', 'When it was last changed.')),
});

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
