/** The emoji that the console knows, and how they are found. */
import { EMOJI_GROUPS } from './emoji-data.ts';

export interface Emoji {
  readonly sign: string;
  readonly name: string;
}

export type EmojiGroup = keyof typeof EMOJI_GROUPS;
export const GROUP_NAMES = Object.keys(EMOJI_GROUPS) as readonly EmojiGroup[];

const read = (group: EmojiGroup): readonly Emoji[] =>
  EMOJI_GROUPS[group].split(/;\s+/).map((entry) => {
    const space = entry.indexOf(' ');
    return { sign: entry.slice(0, space), name: entry.slice(space + 1) };
  });

export const EMOJI: ReadonlyMap<EmojiGroup, readonly Emoji[]> = new Map(
  GROUP_NAMES.map((group) => [group, read(group)]),
);

/** The emoji whose names hold each of these words, or words that begin with them; the closest first. */
export function findEmoji(wanted: string, limit: number): readonly Emoji[] {
  const words = wanted
    .toLowerCase()
    .split(/[\s_]+/)
    .filter(Boolean);
  if (words.length === 0) return [];
  const found = [...EMOJI.values()].flat().filter(({ name }) => {
    const parts = name.split(' ');
    return words.every((word) => parts.some((part) => part.startsWith(word)));
  });
  const isClose = ({ name }: Emoji) => name.startsWith(words.join(' '));
  return found.toSorted((left, right) => Number(isClose(right)) - Number(isClose(left))).slice(0, limit);
}
