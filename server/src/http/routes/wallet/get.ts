import { readWallet } from '#storage/wallet-reads';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { presentWallet } from '../../present/wallet.ts';
import { WalletObject, walletExample } from '../../schemas/wallet.ts';

export const getWallet = defineOperation({
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
