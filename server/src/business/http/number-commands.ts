import { changeConversationStarters, readConversationStarters } from '#business/actions/change-starters';
import type { ConversationStarters } from '#business/domain/conversation-starters';
import type { JsonObject } from '#core/json';
import { givenOnly } from '#http/lists/filters';
import { defineOperation, type Operation } from '#http/operation';
import { principalOf } from '#http/plugins/auth';
import { faultExample } from '#http/schemas/errors';
import { atNumber, businessRequest, numberFailures } from './number-operation.ts';
import { ChangeStarters, type ChangeStartersBody, StartersView, startersExample } from './schemas/starters.ts';

const answer = (description: string) => ({ status: 200, description, schema: StartersView, example: startersExample });

const getNumberCommandsRoute = defineOperation({
  method: 'GET',
  ...atNumber('commands', 'read'),
  operationId: 'getNumberCommands',
  summary: 'Get the ice breakers and commands of a number',
  description:
    'Returns what customers can tap or type before anybody answers, as the network has it now. What they tap or type arrives as an ordinary text.',
  answer: answer('What the network offers customers now.'),
  errorExamples: numberFailures(),
  handle:
    ({ business }) =>
    async (request) => {
      const { tenantId } = principalOf(request);
      return presentStarters(await readConversationStarters(business, { tenantId, phoneNumberId: request.params.id }));
    },
});

const updateNumberCommandsRoute = defineOperation({
  method: 'PATCH',
  ...atNumber('commands', 'write'),
  operationId: 'updateNumberCommands',
  summary: 'Set the ice breakers and commands of a number',
  description:
    'Changes at the network what customers can tap or type before anybody answers. The request can be repeated safely if the network does not respond.',
  body: ChangeStarters,
  bodyExamples: {
    both: {
      summary: 'Ice breakers and a command',
      value: {
        ice_breakers: ['Where is my order?', 'When are you open?'],
        commands: [{ name: 'hours', description: 'When we are open' }],
      },
    },
    none: { summary: 'No ice breakers', value: { ice_breakers: [] } },
  },
  answer: answer('What the network offers customers from now on.'),
  errorExamples: [
    ...numberFailures(),
    faultExample('emoji', 'validation_failed', {
      path: 'body.ice_breakers[0]',
      message: 'ice_breakers[0] must not contain emoji.',
    }),
  ],
  handle:
    ({ business }) =>
    async (request) =>
      presentStarters(await changeConversationStarters(business, businessRequest(request), readChange(request.body))),
});

/** In the order of the documentation. */
export const numberCommandOperations: readonly Operation[] = [getNumberCommandsRoute, updateNumberCommandsRoute];

function readChange(body: ChangeStartersBody): Partial<ConversationStarters> {
  const { ice_breakers: iceBreakers, commands, welcome_message: welcomeMessage } = body;
  return givenOnly({ iceBreakers, commands, welcomeMessage });
}

function presentStarters({ iceBreakers, commands, welcomeMessage }: ConversationStarters): JsonObject {
  return {
    ice_breakers: [...iceBreakers],
    commands: commands.map(({ name, description }) => ({ name, description })),
    welcome_message: welcomeMessage,
  };
}
