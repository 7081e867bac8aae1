import Type from 'typebox';
import { beginTopUp } from '#billing/actions/begin-top-up';
import type { TopUp } from '#billing/domain/top-up';
import { microsPerMinorUnit, type Price, pricesAt } from '#billing/domain/wallet';
import { findTopUp } from '#billing/store/top-ups';
import { listPrices } from '#billing/store/wallet-prices';
import { listTransfers, readWallet, type StoredTransfer, type Wallet } from '#billing/store/wallet-reads';
import { requireFound } from '#core/errors';
import type { JsonObject } from '#core/json';
import { answerList } from '#http/lists/answer-list';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf, requesterOf } from '#http/plugins/auth';
import { conflictExample } from '#http/schemas/errors';
import { queryOf, uuid, withExample } from '#http/schemas/fields';
import { pageQuery } from '#http/schemas/lists';
import { formatRfc3339, timeOrNull } from '#http/validation/rfc3339';
import { BeginTopUp, BegunTopUpView, begunTopUpExample, TopUpView, topUpExample } from './schemas/top-up.ts';
import {
  PricingObject,
  pricingExample,
  transactionExample,
  WalletObject,
  WalletTransaction,
  walletExample,
} from './schemas/wallet.ts';

const getWalletRoute = defineOperation({
  method: 'GET',
  path: '/v1/wallet',
  operationId: 'getWallet',
  summary: 'Get the wallet',
  description: "Returns the tenant's balance. While `enabled` is false, the wallet does not block any messages.",
  tag: 'Billing',
  scope: 'billing:read',
  answer: { status: 200, description: 'The wallet.', schema: WalletObject, example: walletExample },
  handle: ({ rt, db }) => {
    const settings = { enabled: rt.config.walletEnabled === 'true', currency: rt.config.walletCurrency };
    return async (request) => presentWallet(await readWallet(db, principalOf(request).tenantId), settings);
  },
});

const getWalletPricingRoute = defineOperation({
  method: 'GET',
  path: '/v1/wallet/pricing',
  operationId: 'getWalletPricing',
  summary: 'Get message prices',
  description: 'Returns the price of a message in each category when it is paid from the wallet.',
  tag: 'Billing',
  scope: 'billing:read',
  answer: { status: 200, description: 'The current prices.', schema: PricingObject, example: pricingExample },
  handle:
    ({ rt, db }) =>
    async () =>
      presentPricing(pricesAt(await listPrices(db), rt.clock.now()), rt.config.walletCurrency),
});

const listWalletTransactionsRoute = defineOperation({
  method: 'GET',
  path: '/v1/wallet/transactions',
  operationId: 'listWalletTransactions',
  summary: 'List wallet transactions',
  description:
    "Returns the wallet's ledger, newest first: amounts that were paid in, reserved for messages, charged for them, and refunded.",
  tag: 'Billing',
  scope: 'billing:read',
  query: queryOf(pageQuery),
  answer: pageAnswer('transactions', WalletTransaction, transactionExample),
  handle:
    ({ rt, db, cursorKey }) =>
    (request, reply) =>
      answerList(request, reply, {
        cursorKey,
        name: 'wallet_transactions',
        read: (tenantId, window) => listTransfers(db, tenantId, window),
        idOf: (transfer) => transfer.transferId,
        present: (transfer) => presentTransfer(transfer, rt.config.walletCurrency),
      }),
});

const topUpWalletRoute = defineOperation({
  method: 'POST',
  path: '/v1/wallet/topups',
  operationId: 'topUpWallet',
  summary: 'Top up the wallet',
  description:
    'Starts a payment through the payment gateway. A person pays on the page at `checkout_url`, and the wallet is credited when the gateway confirms the payment.',
  tag: 'Billing',
  scope: 'billing:write',
  recentSignIn: true,
  body: BeginTopUp,
  bodyExamples: { fifty: { summary: '50 EUR', value: { amount: 5000, currency: 'EUR' } } },
  takesIdempotencyKey: true,
  answer: {
    status: 201,
    description: 'The payment was started.',
    schema: BegunTopUpView,
    example: begunTopUpExample,
  },
  errors: ['wallet_disabled', 'payment_refused', 'payment_unavailable'],
  errorExamples: [conflictExample('tooManyOpen', 'There are 50 pending payments. Pay one, or let it expire.')],
  handle: (context) => async (request) => {
    const { topUpId, checkoutUrl } = await beginTopUp(context, { ...request.body, ...requesterOf(request) });
    return { id: topUpId, status: 'pending', checkout_url: checkoutUrl };
  },
});

const getTopUpRoute = defineOperation({
  method: 'GET',
  path: '/v1/wallet/topups/:id',
  operationId: 'getTopUp',
  summary: 'Get a top-up',
  description: 'Returns the progress of a payment that was started with `POST /v1/wallet/topups`.',
  tag: 'Billing',
  scope: 'billing:read',
  params: Type.Object({ id: withExample(uuid('ID of the top-up.'), topUpExample.id) }),
  answer: { status: 200, description: 'The top-up.', schema: TopUpView, example: topUpExample },
  errors: ['not_found'],
  handle: (context) => async (request) => {
    const found = await findTopUp(context.db, principalOf(request).tenantId, request.params.id.toLowerCase());
    return presentTopUp(requireFound(found));
  },
});

/** In the order of the documentation. */
export const walletOperations: readonly Operation[] = [
  getWalletRoute,
  getWalletPricingRoute,
  listWalletTransactionsRoute,
  topUpWalletRoute,
  getTopUpRoute,
];

/** Amounts are in minor units, rounded down: what a tenant has is never shown as more than it is. */
function presentWallet(wallet: Wallet, settings: { readonly enabled: boolean; readonly currency: string }): JsonObject {
  const { enabled, currency } = settings;
  const minor = (micros: number) => toMinorUnits(micros, currency);
  return {
    enabled,
    currency,
    balance: minor(wallet.availableMicros + wallet.heldMicros),
    held: minor(wallet.heldMicros),
    available: minor(wallet.availableMicros),
    updated_at: timeOrNull(wallet.updatedMs),
  };
}

/** @param prices those in force, at least one */
function presentPricing(prices: readonly Price[], currency: string): JsonObject {
  return {
    currency,
    effective_from: formatRfc3339(Math.max(...prices.map((price) => price.effectiveFromMs))),
    categories: prices.map(({ category, region, unitPriceMicros }) => ({
      category,
      region: region === '' ? null : region,
      unit_price_micros: unitPriceMicros,
    })),
  };
}

function presentTransfer(transfer: StoredTransfer, currency: string): JsonObject {
  const taken = transfer.kind === 'adjustment' && transfer.from === 'available';
  const amountMicros = taken ? -transfer.amountMicros : transfer.amountMicros;
  return {
    id: transfer.transferId,
    kind: transfer.kind,
    amount: toMinorUnits(amountMicros, currency),
    amount_micros: amountMicros,
    balance_after: toMinorUnits(transfer.balanceAfterMicros, currency),
    balance_after_micros: transfer.balanceAfterMicros,
    message_id: transfer.messageId,
    description: transfer.description,
    created_at: formatRfc3339(transfer.createdMs),
  };
}

function toMinorUnits(micros: number, currency: string): number {
  // Adding 0 makes the 0 of a negative fraction a plain one.
  return Math.trunc(micros / microsPerMinorUnit(currency)) + 0;
}

function presentTopUp(topUp: TopUp): JsonObject {
  return {
    id: topUp.topUpId,
    status: topUp.status,
    amount: topUp.amount,
    currency: topUp.currency,
    paid_amount: topUp.paidAmount,
    refunded_amount: topUp.refundTaken,
    checkout_url: topUp.status === 'pending' ? topUp.checkoutUrl : null,
    note: topUp.note,
    created_at: formatRfc3339(topUp.createdMs),
    updated_at: formatRfc3339(topUp.updatedMs),
  };
}
