import Type from 'typebox';
import { AT_WORK, unlinkAccount } from '#accounts/actions/unlink-account';
import { AccountIdParams, accountExampleId } from '#accounts/http/schemas/linking';
import { defineOperation } from '#http/operation';
import { originOf, principalOf } from '#http/plugins/auth';
import { choiceOf, phoneNumberId, uuid } from '#http/schemas/fields';

const Unlinked = Type.Object(
  {
    id: uuid('Identifier of the linked account.'),
    status: choiceOf(['deleted'], 'It is gone, and its access token with it.'),
    paused_numbers: Type.Array(phoneNumberId(), {
      description: 'Numbers that sent with its token and are now paused.',
    }),
  },
  { description: 'The account was unlinked and erased.' },
);

export const unlinkAccountRoute = defineOperation({
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
    schema: Unlinked,
    example: { id: accountExampleId, status: 'deleted', paused_numbers: ['106540352242922'] },
  },
  errors: ['not_found', 'conflict'],
  errorExamples: [{ name: 'stepsRun', code: 'conflict', body: { error: AT_WORK, code: 'conflict' } }],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const wish = { tenantId, accountId: request.params.id.toLowerCase(), origin: originOf(request) };
      const { accountId: id, pausedNumbers } = await unlinkAccount(rt, db, wish);
      return { id, status: 'deleted', paused_numbers: pausedNumbers };
    };
  },
});
