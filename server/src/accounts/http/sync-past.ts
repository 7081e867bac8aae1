import Type from 'typebox';
import { ASKED_BEFORE, syncPast } from '#accounts/actions/sync-past';
import { pastKinds } from '#accounts/domain/account-network';
import { defineOperation } from '#http/operation';
import { requesterOf } from '#http/plugins/auth';
import { conflictExample, errorExample } from '#http/schemas/errors';
import { choiceOf, phoneNumberId, text } from '#http/schemas/fields';
import { PhoneNumberParams } from './schemas/phone-number.ts';

const MAX_REQUEST_ID = 200;
const kind = () => choiceOf(pastKinds, 'contacts: the contacts of the phone. messages: those of the last 180 days.');

const requestExample = { phone_number_id: '106540352242922', type: 'messages', request_id: '9f2c' } as const;

export const syncPhoneNumberRoute = defineOperation({
  method: 'POST',
  path: '/v1/phone-numbers/:id/sync',
  operationId: 'syncPhoneNumber',
  summary: 'Ask for what was before the API',
  description:
    'Asks the network for the contacts or the messages that the WhatsApp Business app has on the phone of the number. They arrive in portions, reported by account.notice. The network hands over each once, within 24 hours after the number was connected.',
  tag: 'Numbers',
  scope: 'numbers:write',
  params: PhoneNumberParams,
  body: Type.Object({ type: kind() }, { description: 'What to ask for.', additionalProperties: false }),
  bodyExamples: { messages: { summary: 'The messages', value: { type: 'messages' } } },
  takesIdempotencyKey: true,
  answer: {
    status: 202,
    description: 'The network was asked, and hands it over in the background.',
    schema: Type.Object(
      {
        phone_number_id: phoneNumberId(),
        type: kind(),
        request_id: text(MAX_REQUEST_ID, "The network's ID of the request."),
      },
      { description: 'What the network was asked for.' },
    ),
    example: requestExample,
  },
  errors: ['not_found', 'conflict', 'refused_by_network', 'network_unreachable'],
  errorExamples: [
    conflictExample('askedBefore', ASKED_BEFORE),
    errorExample(
      'refusedByNetwork',
      'refused_by_network',
      'The network does not accept a value of this request; correct it and send again. (A parameter is unknown or not valid.)',
    ),
    errorExample('networkUnreachable', 'network_unreachable', 'The network could not be reached (UND_ERR_SOCKET).'),
  ],
  handle: ({ linking, tokens }) => {
    return async (request) => {
      const { type } = request.body;
      const { id } = request.params;
      const requestId = await syncPast(
        { ...linking, tokens },
        { ...requesterOf(request), phoneNumberId: id, kind: type },
      );
      return { phone_number_id: id, type, request_id: requestId };
    };
  },
});
