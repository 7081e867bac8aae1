import Type from 'typebox';
import { listTransfers, type StoredTransfer } from '#storage/wallet-reads';
import { answerPage, listWindow } from '../../lists/page.ts';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { presentTransfer } from '../../present/wallet.ts';
import { pageExample, queryErrorExamples } from '../../schemas/examples.ts';
import { listOf, pageQuery } from '../../schemas/lists.ts';
import { transactionExample, WalletTransaction } from '../../schemas/wallet.ts';

export const listWalletTransactions = defineOperation({
  method: 'GET',
  path: '/v1/wallet/transactions',
  operationId: 'listWalletTransactions',
  summary: 'List wallet transactions',
  description:
    'The ledger of the wallet, newest first: what was paid in, set aside for messages, paid for them, and given back.',
  tag: 'Billing',
  scope: 'billing:read',
  query: Type.Object(pageQuery, { additionalProperties: false }),
  answer: {
    status: 200,
    description: 'A page of transactions.',
    schema: listOf(WalletTransaction, 'A page of transactions, newest first.'),
    example: pageExample(transactionExample),
    headers: ['Link'],
  },
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ rt, db, cursorKey }) => {
    return async (request, reply) => {
      const { tenantId } = principalOf(request);
      const list = { name: 'wallet_transactions', tenantId, filter: {} };
      const window = listWindow(request.query, list, cursorKey);
      const page = await listTransfers(db, tenantId, window);
      const idOf = (transfer: StoredTransfer): string => transfer.transferId;
      const present = (transfer: StoredTransfer) => presentTransfer(transfer, rt.config.walletCurrency);
      return answerPage(request, reply, { page, window, list, cursorKey, idOf, present });
    };
  },
});
