/** Ids of the network have up to 100 characters; they are opaque. */
export const MAX_TARGET_CHARACTERS = 256;
/** One emoji: the longest, families with skin tones, are below 30. */
export const MAX_EMOJI_CHARACTERS = 64;

export interface ReactionFields {
  /** The message reacted to: our id, or the network's. */
  readonly message_id: string;
  /** Empty: takes the reaction back. */
  readonly emoji: string;
}

export interface ReactionContent {
  readonly type: 'reaction';
  readonly reaction: ReactionFields;
}
