import { repeatLink } from '#accounts/actions/repeat-link';
import { presentAccount } from '#accounts/http/present/account';
import { AccountIdParams, AccountView, accountExample } from '#accounts/http/schemas/linking';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { NoBody } from '#http/schemas/parameters';

export const retryAccountRoute = defineOperation({
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
    headers: ['Idempotent-Replayed'],
  },
  errors: ['not_found'],
  errorExamples: [
    {
      name: 'noToken',
      code: 'conflict',
      body: { error: 'No access token came of this link: open the dialog again.', code: 'conflict' },
    },
  ],
  handle: ({ rt, linking }) => {
    return async (request) => {
      const wish = { ...requesterOf(request), accountId: request.params.id.toLowerCase() };
      return presentAccount(await repeatLink(linking, wish), rt.clock.now());
    };
  },
});
