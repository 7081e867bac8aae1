import Type from 'typebox';
import { ApiProblem } from '#core/errors';
import { defineOperation } from '../../operation.ts';
import { choiceOf, nullableText, uuid } from '../../schemas/fields.ts';

/** Minor units: as much as every payment gateway takes at once. */
const MAX_AMOUNT = 99_999_999;

const Body = Type.Object(
  {
    amount: Type.Integer({ minimum: 1, maximum: MAX_AMOUNT, description: 'Minor units of the currency.' }),
    currency: Type.String({ minLength: 3, maxLength: 3, description: 'ISO 4217.' }),
  },
  { additionalProperties: false, description: 'How much to pay in.' },
);

const TopUp = Type.Object(
  {
    id: uuid('Id of the top-up.'),
    status: choiceOf(['pending'], 'Waits for the payment.'),
    checkout_url: nullableText('Where to pay.'),
  },
  { description: 'A top-up that waits for its payment.' },
);

export const topUpWalletRoute = defineOperation({
  method: 'POST',
  path: '/v1/wallet/topups',
  operationId: 'topUpWallet',
  summary: 'Pay into the wallet',
  description:
    'Begins a payment through a payment gateway. This version is connected to none: it answers 400 `wallet_disabled`, and the operator books top-ups.',
  tag: 'Billing',
  scope: 'billing:write',
  body: Body,
  bodyExamples: { fifty: { summary: '50 EUR', value: { amount: 5000, currency: 'EUR' } } },
  takesIdempotencyKey: true,
  answer: {
    status: 201,
    description: 'Reserved for servers with a payment gateway.',
    schema: TopUp,
    example: {
      id: '0190a6f2-8c1e-7d54-9b3a-5f6c7d8e9f21',
      status: 'pending',
      checkout_url: 'https://pay.example.com/c/1',
    },
  },
  errors: ['wallet_disabled'],
  handle: () => {
    return async () => {
      throw new ApiProblem('wallet_disabled');
    };
  },
});
