import { beginTopUp } from '#billing/actions/begin-top-up';
import { BeginTopUp, BegunTopUpView, begunTopUpExample } from '#billing/http/schemas/top-up';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';

const CREATED = 201;

export const topUpWalletRoute = defineOperation({
  method: 'POST',
  path: '/v1/wallet/topups',
  operationId: 'topUpWallet',
  summary: 'Top up the wallet',
  description:
    'Starts a payment through the payment gateway. A person pays on the page at `checkout_url`, and the wallet is credited when the gateway confirms the payment.',
  tag: 'Billing',
  scope: 'billing:write',
  body: BeginTopUp,
  bodyExamples: { fifty: { summary: '50 EUR', value: { amount: 5000, currency: 'EUR' } } },
  takesIdempotencyKey: true,
  answer: {
    status: CREATED,
    description: 'The payment was started.',
    schema: BegunTopUpView,
    example: begunTopUpExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: ['wallet_disabled', 'conflict', 'payment_refused', 'payment_unavailable'],
  errorExamples: [
    {
      name: 'tooManyOpen',
      code: 'conflict',
      body: { error: 'There are 50 open payments: pay one, or let it expire.', code: 'conflict' },
    },
  ],
  handle: (context) => {
    return async (request) => {
      const { topUpId, checkoutUrl } = await beginTopUp(context, { ...request.body, ...requesterOf(request) });
      return { id: topUpId, status: 'pending', checkout_url: checkoutUrl };
    };
  },
});
