import Type from 'typebox';
import { presentTransfer } from '#billing/http/present/wallet';
import { transactionExample, WalletTransaction } from '#billing/http/schemas/wallet';
import { listTransfers } from '#billing/store/wallet-reads';
import { answerList } from '#http/lists/answer-list';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation } from '#http/operation';
import { queryErrorExamples } from '#http/schemas/examples';
import { pageQuery } from '#http/schemas/lists';

export const listWalletTransactionsRoute = defineOperation({
  method: 'GET',
  path: '/v1/wallet/transactions',
  operationId: 'listWalletTransactions',
  summary: 'List wallet transactions',
  description:
    "Returns the wallet's ledger, newest first: amounts that were paid in, reserved for messages, charged for them, and refunded.",
  tag: 'Billing',
  scope: 'billing:read',
  query: Type.Object(pageQuery, { additionalProperties: false }),
  answer: pageAnswer('transactions', WalletTransaction, transactionExample),
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
