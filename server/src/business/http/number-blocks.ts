import Type from 'typebox';
import { listBlockedUsers } from '#business/actions/list-blocked-users';
import type { JsonObject } from '#core/json';
import { isUserId } from '#core/phone/recipient';
import { answerNetworkList, networkPageAnswer } from '#http/lists/network-page';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { named, nullableText, queryOf } from '#http/schemas/fields';
import { networkPageQuery } from '#http/schemas/lists';
import { atNumber, numberFailures } from './number-operation.ts';

const BlockedUserView = Type.Object(
  {
    phone: nullableText('Phone number, digits only. Null if the network has only a user ID.'),
    user_id: nullableText("The network's user ID. Null if the network has the phone number."),
  },
  named('BlockedUser', 'A customer whom the network blocks for a number.'),
);

const listNumberBlockedUsersRoute = defineOperation({
  method: 'GET',
  ...atNumber('blocked-users', 'read'),
  operationId: 'listNumberBlockedUsers',
  summary: 'List the blocked users of a number',
  description:
    'Returns whom the network blocks for the number, as the network lists them, whether they were blocked here or elsewhere.',
  query: queryOf(networkPageQuery),
  answer: networkPageAnswer('blocked users', BlockedUserView, { phone: '447700900123', user_id: null }),
  errorExamples: numberFailures(),
  handle:
    ({ business, cursorKey }) =>
    (request, reply) => {
      const { id: phoneNumberId } = request.params;
      const of = { tenantId: principalOf(request).tenantId, phoneNumberId };
      return answerNetworkList(request, reply, {
        cursorKey,
        name: 'blocked_users',
        filter: { phoneNumberId },
        read: (window) => listBlockedUsers(business, of, window),
        present: presentBlockedUser,
      });
    },
});

export const numberBlockOperations: readonly Operation[] = [listNumberBlockedUsersRoute];

function presentBlockedUser(name: string): JsonObject {
  return isUserId(name) ? { phone: null, user_id: name } : { phone: name, user_id: null };
}
