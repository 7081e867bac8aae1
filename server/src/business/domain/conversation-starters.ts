import type { FaultDetail } from '#core/errors';

/** A word that customers find by typing a slash. */
export interface ChatCommand {
  readonly name: string;
  readonly description: string;
}

/** What customers can tap or type before anybody answers. */
export interface ConversationStarters {
  /** Texts that customers who have not written yet can tap to send. */
  readonly iceBreakers: readonly string[];
  readonly commands: readonly ChatCommand[];
  /** Whether the network reports that a customer has opened a chat for the first time. */
  readonly welcomeMessage: boolean;
}

/** The limits that the network states. */
export const starterLimits = {
  iceBreakers: 4,
  iceBreaker: 80,
  commands: 30,
  commandName: 32,
  commandDescription: 256,
} as const;

/** Drawn as pictures: not the digits and signs that merely have a picture form. */
const EMOJI = /\p{Emoji_Presentation}|\uFE0F/u;

/** "Emojis are not supported": where these starters have some. */
export function emojiFaults({
  iceBreakers = [],
  commands = [],
}: Partial<ConversationStarters>): readonly FaultDetail[] {
  const texts = [
    ...iceBreakers.map((text, index) => [`ice_breakers[${index}]`, text] as const),
    ...commands.flatMap(({ name, description }, index) => [
      [`commands[${index}].name`, name] as const,
      [`commands[${index}].description`, description] as const,
    ]),
  ];
  const faulty = texts.filter(([, text]) => EMOJI.test(text));
  return faulty.map(([at]) => ({ path: `body.${at}`, message: `${at} must not contain emoji.` }));
}
