import Type from 'typebox';
import { presentTransfer } from '#billing/http/present/wallet';
import { transactionExample, WalletTransaction } from '#billing/http/schemas/wallet';
import { listTransfers } from '#billing/store/wallet-reads';
import { answerList } from '#http/lists/answer-list';
import { defineOperation } from '#http/operation';
import { pageExample, queryErrorExamples } from '#http/schemas/examples';
import { listOf, pageQuery } from '#http/schemas/lists';

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
