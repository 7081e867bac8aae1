import Type from 'typebox';
import {
  deleteUsername,
  readDisplayName,
  readUsername,
  requestDisplayName,
  setTwoStepPin,
  setUsername,
} from '#business/actions/change-names';
import type { DisplayName, Username } from '#business/domain/number-names';
import type { JsonObject } from '#core/json';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { errorExample } from '#http/schemas/errors';
import { choiceOf, phoneNumberId } from '#http/schemas/fields';
import { atNumber, businessRequest, numberFailures } from './number-operation.ts';
import {
  DisplayNameView,
  displayNameExample,
  PinView,
  RequestDisplayName,
  SetPin,
  SetUsername,
  UsernameView,
  usernameExample,
} from './schemas/names.ts';

const displayName = (description: string) => ({
  status: 200,
  description,
  schema: DisplayNameView,
  example: displayNameExample,
});
const username = (description: string) => ({
  status: 200,
  description,
  schema: UsernameView,
  example: usernameExample,
});
const exampleNumber = '106540352242922';

const getNumberDisplayNameRoute = defineOperation({
  method: 'GET',
  ...atNumber('display-name', 'read'),
  operationId: 'getNumberDisplayName',
  summary: 'Get the display name of a number',
  description:
    'Returns the name under which customers see the number, and what the network has decided about the latest request for another one.',
  answer: displayName('The display name, as the network has it now.'),
  errorExamples: numberFailures(),
  handle:
    ({ business }) =>
    async (request) => {
      const { tenantId } = principalOf(request);
      return presentDisplayName(await readDisplayName(business, { tenantId, phoneNumberId: request.params.id }));
    },
});

const requestNumberDisplayNameRoute = defineOperation({
  method: 'PUT',
  ...atNumber('display-name', 'write'),
  operationId: 'requestNumberDisplayName',
  summary: 'Request another display name for a number',
  description:
    'Asks the network for another name. The network reviews it, mostly within two days, and reports its decision as an `account.notice` event; until then customers see the old name.',
  body: RequestDisplayName,
  bodyExamples: { name: { summary: 'Another name', value: { name: 'Flower shop Springfield' } } },
  answer: displayName('The request was made.'),
  errorExamples: numberFailures(),
  handle:
    ({ business }) =>
    async (request) =>
      presentDisplayName(await requestDisplayName(business, businessRequest(request), request.body.name)),
});

const getNumberUsernameRoute = defineOperation({
  method: 'GET',
  ...atNumber('username', 'read'),
  operationId: 'getNumberUsername',
  summary: 'Get the username of a number',
  description: 'Returns the name by which customers find the business without knowing its number.',
  answer: username('The username, as the network has it now.'),
  errorExamples: numberFailures(),
  handle:
    ({ business }) =>
    async (request) => {
      const { tenantId } = principalOf(request);
      return presentUsername(await readUsername(business, { tenantId, phoneNumberId: request.params.id }));
    },
});

const setNumberUsernameRoute = defineOperation({
  method: 'PUT',
  ...atNumber('username', 'write'),
  operationId: 'setNumberUsername',
  summary: 'Take a username for a number',
  description:
    'Takes a username at the network, in place of the one that the number has. The network rejects names that are taken or that break its rules, and says why.',
  body: SetUsername,
  bodyExamples: {
    username: { summary: 'A username', value: { username: 'flower.shop' } },
    transfer: { summary: 'From another number', value: { username: 'flower.shop', transfer: true } },
  },
  answer: username('The username and its status.'),
  errorExamples: [
    ...numberFailures(),
    errorExample(
      'usernameTaken',
      'refused_by_network',
      'The network rejected this. Its response: Another number of this business has this username.',
    ),
  ],
  handle:
    ({ business }) =>
    async (request) => {
      const { username: wanted, transfer = false } = request.body;
      const wish = { username: wanted, transfer };
      return presentUsername(await setUsername(business, businessRequest(request), wish));
    },
});

const deleteNumberUsernameRoute = defineOperation({
  method: 'DELETE',
  ...atNumber('username', 'write'),
  operationId: 'deleteNumberUsername',
  summary: 'Give up the username of a number',
  description:
    'Gives the username up at the network. Customers no longer find the number by it, and others can take it.',
  answer: {
    status: 200,
    description: 'The number has no username now.',
    schema: Type.Object(
      { id: phoneNumberId(), status: choiceOf(['deleted'], 'Its username was deleted.') },
      { description: 'The number has no username now.' },
    ),
    example: { id: exampleNumber, status: 'deleted' },
  },
  errorExamples: numberFailures(),
  handle:
    ({ business }) =>
    async (request) => {
      await deleteUsername(business, businessRequest(request));
      return { id: request.params.id, status: 'deleted' };
    },
});

const setNumberPinRoute = defineOperation({
  method: 'PUT',
  ...atNumber('pin', 'write'),
  operationId: 'setNumberPin',
  summary: 'Set the two-step PIN of a number',
  description:
    'Sets the PIN that the network asks for when the number is registered again, here or with another provider. It is passed on to the network and stored nowhere. When the number has to be registered here again, delete it and add it with this PIN.',
  recentSignIn: true,
  body: SetPin,
  bodyExamples: { pin: { summary: 'Six digits', value: { pin: '246813' } } },
  answer: {
    status: 200,
    description: 'The PIN was set.',
    schema: PinView,
    example: { id: exampleNumber, pin_enabled: true },
  },
  errorExamples: numberFailures(),
  handle:
    ({ business }) =>
    async (request) => {
      await setTwoStepPin(business, businessRequest(request), request.body.pin);
      return { id: request.params.id, pin_enabled: true };
    },
});

/** In the order of the documentation. */
export const numberNameOperations: readonly Operation[] = [
  getNumberDisplayNameRoute,
  requestNumberDisplayNameRoute,
  getNumberUsernameRoute,
  setNumberUsernameRoute,
  deleteNumberUsernameRoute,
  setNumberPinRoute,
];

function presentDisplayName({ name, status, requestedName, requestedStatus }: DisplayName): JsonObject {
  return { name, status, requested_name: requestedName, requested_status: requestedStatus };
}

function presentUsername({ username: name, status }: Username): JsonObject {
  return { username: name, status };
}
