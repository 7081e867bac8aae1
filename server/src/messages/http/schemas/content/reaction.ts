import Type, { type TUnsafe } from 'typebox';
import { named } from '#http/schemas/fields';
import { MAX_EMOJI_CHARACTERS, MAX_TARGET_CHARACTERS, type ReactionFields } from '#messages/domain/reaction';
import { anyWords, fields, words } from './parts.ts';

const reaction = {
  message_id: words(MAX_TARGET_CHARACTERS, "The message reacted to: our id, or the network's."),
  emoji: anyWords(MAX_EMOJI_CHARACTERS, 'One emoji; empty to take the reaction back.'),
};

/** A reaction to a message. */
export const Reaction: TUnsafe<ReactionFields> = Type.Unsafe<ReactionFields>(
  fields(reaction, named('Reaction', 'The reaction.')),
);
