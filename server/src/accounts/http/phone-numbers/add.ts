import { addLinkedNumber, HERE, NOBODYS_NUMBER } from '#accounts/actions/add-linked-number';
import { presentPhoneNumber } from '#accounts/http/present/phone-number';
import { AddPhoneNumber, numberExample, PhoneNumberView } from '#accounts/http/schemas/phone-number';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';

const CREATED = 201;

export const addPhoneNumberRoute = defineOperation({
  method: 'POST',
  path: '/v1/phone-numbers',
  operationId: 'addPhoneNumber',
  summary: 'Add a sending number',
  description:
    'Adds a number by its network id, if a linked account of the tenant owns it, and registers it. Linking adds all numbers automatically; use this for a number that is new at the network or was removed.',
  tag: 'Numbers',
  scope: 'numbers:write',
  body: AddPhoneNumber,
  bodyExamples: {
    number: {
      summary: 'A number of a linked account',
      value: { phone_number_id: '106540352242922', name: 'Main desk' },
    },
  },
  takesIdempotencyKey: true,
  answer: {
    status: CREATED,
    description: 'The number can send.',
    schema: PhoneNumberView,
    example: numberExample,
    headers: ['Idempotent-Replayed'],
  },
  errors: ['unknown_phone_number', 'conflict', 'refused_by_network', 'network_unreachable'],
  errorExamples: [
    {
      name: 'unknownPhoneNumber',
      code: 'unknown_phone_number',
      body: {
        error: NOBODYS_NUMBER,
        code: 'unknown_phone_number',
        details: [{ path: 'body.phone_number_id', message: NOBODYS_NUMBER }],
      },
    },
    { name: 'here', code: 'conflict', body: { error: HERE, code: 'conflict' } },
    {
      name: 'refusedByNetwork',
      code: 'refused_by_network',
      body: {
        error: 'The network refused this step. Its words: The two-step PIN is wrong.',
        code: 'refused_by_network',
      },
    },
    {
      name: 'networkUnreachable',
      code: 'network_unreachable',
      body: { error: 'The network could not be reached (UND_ERR_SOCKET).', code: 'network_unreachable' },
    },
  ],
  handle: ({ linking }) => {
    return async (request) => {
      const { phone_number_id: phoneNumberId, name = null } = request.body;
      return presentPhoneNumber(await addLinkedNumber(linking, { ...requesterOf(request), phoneNumberId, name }));
    };
  },
});
