import { presentAccount } from '#accounts/http/present/account';
import { AccountIdParams, AccountView, accountExample } from '#accounts/http/schemas/linking';
import { findLinkedAccount } from '#accounts/store/linked-accounts';
import { requireFound } from '#core/errors';
import { defineOperation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';

export const getAccountRoute = defineOperation({
  method: 'GET',
  path: '/v1/accounts/:id',
  operationId: 'getAccount',
  summary: 'Get a linked account',
  description: 'Returns the progress of linking, step by step, but never the access token.',
  tag: 'Numbers',
  scope: 'numbers:read',
  params: AccountIdParams,
  answer: { status: 200, description: 'The account.', schema: AccountView, example: accountExample },
  errors: ['not_found'],
  handle: ({ rt, db }) => {
    return async (request) => {
      return presentAccount(
        requireFound(await findLinkedAccount(db, principalOf(request).tenantId, request.params.id.toLowerCase())),
        rt.clock.now(),
      );
    };
  },
});
