import Type from 'typebox';
import { type LinkedAccount, listLinkedAccountsPage } from '#storage/linked-accounts';
import { answerPage, listWindow } from '../../lists/page.ts';
import { defineOperation } from '../../operation.ts';
import { principalOf } from '../../plugins/auth.ts';
import { presentAccount } from '../../present/account.ts';
import { pageExample, queryErrorExamples } from '../../schemas/examples.ts';
import { AccountView, accountExample } from '../../schemas/linking.ts';
import { listOf, pageQuery } from '../../schemas/lists.ts';

const Query = Type.Object(pageQuery, { additionalProperties: false });

export const listAccounts = defineOperation({
  method: 'GET',
  path: '/v1/accounts',
  operationId: 'listAccounts',
  summary: 'List linked accounts',
  description: 'What came back from the dialog, newest first; what failed or was replaced too.',
  tag: 'Numbers',
  scope: 'numbers:read',
  query: Query,
  answer: {
    status: 200,
    description: 'A page of accounts.',
    schema: listOf(AccountView, 'A page of accounts, newest first.'),
    example: pageExample(accountExample),
    headers: ['Link'],
  },
  errors: [],
  errorExamples: queryErrorExamples,
  handle: ({ rt, db, cursorKey }) => {
    return async (request, reply) => {
      const { tenantId } = principalOf(request);
      const list = { name: 'accounts', tenantId, filter: {} };
      const window = listWindow(request.query, list, cursorKey);
      const page = await listLinkedAccountsPage(db, tenantId, window);
      const present = (account: LinkedAccount) => presentAccount(account, rt.clock.now());
      const idOf = (account: LinkedAccount) => account.accountId;
      return answerPage(request, reply, { page, window, list, cursorKey, idOf, present });
    };
  },
});
