import Type from 'typebox';
import { removeNumber, STILL_OWES } from '#accounts/actions/manage-numbers';
import { numberExample, PhoneNumberParams, staleErrorExample } from '#accounts/http/schemas/phone-number';
import { defineOperation } from '#http/operation';
import { originOf, principalOf } from '#http/plugins/auth';
import { ifMatchHeader, matchingVersions } from '#http/plugins/if-match';
import { choiceOf, phoneNumberId } from '#http/schemas/fields';

const Deleted = Type.Object(
  { id: phoneNumberId(), status: choiceOf(['deleted'], 'It sends and receives nothing here any more.') },
  { description: 'The number was deleted.' },
);

export const deletePhoneNumberRoute = defineOperation({
  method: 'DELETE',
  path: '/v1/phone-numbers/:id',
  operationId: 'deletePhoneNumber',
  summary: 'Delete a sending number',
  description:
    'Deletes the number. It no longer sends or receives anything here, and another tenant may link it; its messages stay. At the network, it does not change. Returns 409 while messages are waiting to be sent from it.',
  tag: 'Numbers',
  scope: 'numbers:write',
  params: PhoneNumberParams,
  requestHeaders: [ifMatchHeader],
  answer: {
    status: 200,
    description: 'The number was deleted.',
    schema: Deleted,
    example: { id: numberExample.id ?? '', status: 'deleted' },
  },
  errors: ['not_found', 'conflict', 'precondition_failed'],
  errorExamples: [
    { name: 'messagesWait', code: 'conflict', body: { error: STILL_OWES, code: 'conflict' } },
    staleErrorExample,
  ],
  handle: ({ rt, db }) => {
    return async (request) => {
      const { tenantId } = principalOf(request);
      const versions = matchingVersions(request);
      const asked = { tenantId, phoneNumberId: request.params.id, origin: originOf(request), versions };
      const { phoneNumberId: id } = await removeNumber(rt, db, asked);
      return { id, status: 'deleted' };
    };
  },
});
