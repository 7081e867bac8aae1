import Type from 'typebox';
import { presentAccount } from '#accounts/http/present/account';
import { AccountView, accountExample } from '#accounts/http/schemas/linking';
import { listLinkedAccountsPage } from '#accounts/store/linked-accounts';
import { answerList } from '#http/lists/answer-list';
import { pageAnswer } from '#http/lists/page-answer';
import { defineOperation } from '#http/operation';
import { queryErrorExamples } from '#http/schemas/examples';
import { pageQuery } from '#http/schemas/lists';

const Query = Type.Object(pageQuery, { additionalProperties: false });

export const listAccountsRoute = defineOperation({
  method: 'GET',
  path: '/v1/accounts',
  operationId: 'listAccounts',
  summary: 'List linked accounts',
  description:
    'Returns the accounts that came back from the dialog, newest first, including those that failed or were replaced.',
  tag: 'Numbers',
  scope: 'numbers:read',
  query: Query,
  answer: pageAnswer('accounts', AccountView, accountExample),
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ rt, db, cursorKey }) => {
    return (request, reply) =>
      answerList(request, reply, {
        cursorKey,
        name: 'accounts',
        read: (tenantId, window) => listLinkedAccountsPage(db, tenantId, window),
        idOf: (account) => account.accountId,
        present: (account) => presentAccount(account, rt.clock.now()),
      });
  },
});
