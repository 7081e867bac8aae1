import { presentWallet } from '#billing/http/present/wallet';
import { WalletObject, walletExample } from '#billing/http/schemas/wallet';
import { readWallet } from '#billing/store/wallet-reads';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';

export const getWalletRoute = defineOperation({
  method: 'GET',
  path: '/v1/wallet',
  operationId: 'getWallet',
  summary: 'Get the wallet',
  description: "Returns the tenant's balance. While `enabled` is false, the wallet does not block any messages.",
  tag: 'Billing',
  scope: 'billing:read',
  answer: { status: 200, description: 'The wallet.', schema: WalletObject, example: walletExample },
  errors: [],
  handle: ({ rt, db }) => {
    const settings = { enabled: rt.config.walletEnabled === 'true', currency: rt.config.walletCurrency };
    return async (request) => presentWallet(await readWallet(db, principalOf(request).tenantId), settings);
  },
});
