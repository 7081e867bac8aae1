import Type from 'typebox';
import { repeatLink } from '#accounts/actions/repeat-link';
import { AT_WORK, unlinkAccount } from '#accounts/actions/unlink-account';
import { findLinkedAccount, type LinkedAccount, listLinkedAccountsPage } from '#accounts/store/linked-accounts';
import { defineOperation, type Operation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { getOperation, listOperation, type Resource } from '#http/resource';
import { conflictExample } from '#http/schemas/errors';
import { choiceOf, phoneNumberId, uuid } from '#http/schemas/fields';
import { NoBody } from '#http/schemas/parameters';
import { presentAccount } from './present/account.ts';
import { AccountIdParams, AccountView, accountExample, accountExampleId } from './schemas/linking.ts';

const account: Resource<LinkedAccount> = {
  path: '/v1/accounts',
  name: 'Account',
  noun: 'account',
  one: 'a linked account',
  tag: 'Numbers',
  scopes: { read: 'numbers:read', write: 'numbers:write' },
  params: AccountIdParams,
  view: AccountView,
  example: accountExample,
  present: presentAccount,
};

const listAccountsRoute = listOperation(account, {
  summary: 'List linked accounts',
  description:
    'Returns the accounts that were linked in the dialog, newest first, including those that failed or were replaced.',
  read: ({ db }, { tenantId, window }) => listLinkedAccountsPage(db, tenantId, window),
  idOf: ({ accountId }) => accountId,
});

const getAccountRoute = getOperation(account, {
  description: 'Returns the progress of linking, step by step, but never the access token.',
  find: ({ db }, tenantId, id) => findLinkedAccount(db, tenantId, id),
});

const retryAccountRoute = defineOperation({
  method: 'POST',
  path: '/v1/accounts/:id/retry',
  operationId: 'retryAccount',
  summary: 'Retry the setup of a linked account',
  description:
    'Runs the steps that failed or were interrupted, but not the ones that are complete. It also finds numbers that are new at the network, restores removed ones, and refreshes the state of known ones.',
  tag: 'Numbers',
  scope: 'numbers:write',
  params: AccountIdParams,
  body: NoBody,
  takesIdempotencyKey: true,
  answer: {
    status: 200,
    description: 'The account after the run; status and steps show the result.',
    schema: AccountView,
    example: accountExample,
  },
  errors: ['not_found'],
  errorExamples: [conflictExample('noToken', 'This link did not produce an access token. Open the dialog again.')],
  handle: ({ rt, linking }) => {
    return async (request) => {
      const accountId = request.params.id.toLowerCase();
      return presentAccount(await repeatLink(linking, { ...requesterOf(request), accountId }), rt.clock.now());
    };
  },
});

const unlinkAccountRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/accounts/:id',
  operationId: 'unlinkAccount',
  summary: 'Unlink an account',
  description:
    'Erases the account and its access token. Its numbers are paused: messages waiting to be sent from them stay until the network account is linked again or the messages expire. Nothing changes at the network; revoke the permission there.',
  tag: 'Numbers',
  scope: 'numbers:write',
  params: AccountIdParams,
  answer: {
    status: 200,
    description: 'The account was unlinked and erased.',
    schema: Type.Object(
      {
        id: uuid('ID of the linked account.'),
        status: choiceOf(['deleted'], 'The account and its access token were erased.'),
        paused_numbers: Type.Array(phoneNumberId(), {
          description: 'Numbers that used its token and are now paused.',
        }),
      },
      { description: 'The account was unlinked and erased.' },
    ),
    example: { id: accountExampleId, status: 'deleted', paused_numbers: ['106540352242922'] },
  },
  errors: ['not_found', 'conflict'],
  errorExamples: [conflictExample('stepsRun', AT_WORK)],
  handle: ({ rt, db }) => {
    return async (request) => {
      const accountId = request.params.id.toLowerCase();
      const { accountId: id, pausedNumbers } = await unlinkAccount(rt, db, { ...requesterOf(request), accountId });
      return { id, status: 'deleted', paused_numbers: pausedNumbers };
    };
  },
});

/** In the order of the documentation. */
export const accountOperations: readonly Operation[] = [
  listAccountsRoute,
  getAccountRoute,
  retryAccountRoute,
  unlinkAccountRoute,
];
