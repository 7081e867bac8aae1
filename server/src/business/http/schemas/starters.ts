import Type, { type Static } from 'typebox';
import { starterLimits } from '#business/domain/conversation-starters';
import type { JsonObject } from '#core/json';
import { changeOf, named, PATTERN_SENTENCE, strictObject, text } from '#http/schemas/fields';

const WORD = { pattern: '^[^\\s/\\u0000]+$', [PATTERN_SENTENCE]: 'must be one word without a slash' };

const ICE_BREAKERS = 'Texts that customers who have not written yet can tap to send.';
const COMMANDS = 'Commands that customers find by typing a slash.';
const WELCOME =
  'Whether the network reports that a customer has opened a chat for the first time, as an inbound message of type `unsupported`.';

const Command = strictObject(named('Command', 'A command.'), {
  name: Type.String({
    minLength: 1,
    maxLength: starterLimits.commandName,
    ...WORD,
    description: 'Name, without the slash.',
  }),
  description: text(starterLimits.commandDescription, 'What the command does.'),
});

export const StartersView = Type.Object(
  {
    ice_breakers: Type.Array(Type.String(), { description: ICE_BREAKERS }),
    commands: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name, without the slash.' }),
        description: Type.String({ description: 'What the command does.' }),
      }),
      { description: COMMANDS },
    ),
    welcome_message: Type.Boolean({ description: WELCOME }),
  },
  named('NumberCommands', 'What customers can tap or type before anybody answers.'),
);

export const ChangeStarters = changeOf(
  {
    ice_breakers: Type.Array(text(starterLimits.iceBreaker, 'One of them, without emoji.'), {
      maxItems: starterLimits.iceBreakers,
      description: ICE_BREAKERS,
    }),
    commands: Type.Array(Command, { maxItems: starterLimits.commands, description: COMMANDS }),
    welcome_message: Type.Boolean({ description: WELCOME }),
  },
  'Omitted fields stay unchanged; a list replaces the list that is there, and an empty one empties it.',
);
export type ChangeStartersBody = Static<typeof ChangeStarters>;

export const startersExample: JsonObject = {
  ice_breakers: ['Where is my order?', 'When are you open?'],
  commands: [{ name: 'hours', description: 'When we are open' }],
  welcome_message: false,
};
