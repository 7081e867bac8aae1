import Type from 'typebox';
import { listTransfers } from '#storage/wallet-reads';
import { answerList } from '../../lists/answer-list.ts';
import { defineOperation } from '../../operation.ts';
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
    "Returns the wallet's ledger, newest first: amounts that were paid in, reserved for messages, charged for them, and refunded.",
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
    return (request, reply) =>
      answerList(request, reply, {
        cursorKey,
        name: 'wallet_transactions',
        read: (tenantId, window) => listTransfers(db, tenantId, window),
        idOf: (transfer) => transfer.transferId,
        present: (transfer) => presentTransfer(transfer, rt.config.walletCurrency),
      });
  },
});
