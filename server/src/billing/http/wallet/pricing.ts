import { pricesAt } from '#billing/domain/wallet';
import { presentPricing } from '#billing/http/present/wallet';
import { PricingObject, pricingExample } from '#billing/http/schemas/wallet';
import { listPrices } from '#billing/store/wallet-prices';
import { defineOperation } from '#http/operation';

export const getWalletPricingRoute = defineOperation({
  method: 'GET',
  path: '/v1/wallet/pricing',
  operationId: 'getWalletPricing',
  summary: 'Get message prices',
  description: 'Returns the price of a message in each category when it is paid from the wallet.',
  tag: 'Billing',
  scope: 'billing:read',
  answer: { status: 200, description: 'The current prices.', schema: PricingObject, example: pricingExample },
  errors: [],
  handle: ({ rt, db }) => {
    return async () => presentPricing(pricesAt(await listPrices(db), rt.clock.now()), rt.config.walletCurrency);
  },
});
