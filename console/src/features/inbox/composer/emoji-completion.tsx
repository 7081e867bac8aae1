import { type KeyboardEvent, useEffect, useState } from 'react';
import { t } from '../../../locales/text.ts';
import type { Emoji } from './emoji.ts';
import { rememberEmoji } from './recent-emoji.ts';

const SHOWN = 6;
/** A colon at the beginning of a word, and at least two letters. */
const BEGUN = /(?:^|\s):([a-z][a-z_]+)$/i;

interface Completion {
  readonly found: readonly Emoji[];
  readonly active: number;
  readonly use: (emoji: Emoji) => string;
  /** @returns the text with the emoji; '' when the key only moved; null when it was not meant for the list */
  readonly onKey: (event: KeyboardEvent) => string | null;
}

/** Emoji whose names go on as what stands behind the colon at the end of the text. */
export function useEmojiCompletion(text: string): Completion {
  const [find, setFind] = useState<((wanted: string, limit: number) => readonly Emoji[]) | null>(null);
  const [active, setActive] = useState(0);
  const [closedFor, setClosedFor] = useState('');
  const wanted = closedFor === text ? undefined : BEGUN.exec(text)?.[1];
  const isWanted = wanted !== undefined;
  useEffect(() => {
    if (isWanted && find === null) void import('./emoji.ts').then(({ findEmoji }) => setFind(() => findEmoji));
  }, [isWanted, find]);
  const found = wanted === undefined || find === null ? [] : find(wanted, SHOWN);
  const place = Math.min(active, Math.max(0, found.length - 1));
  const use = ({ sign }: Emoji): string => {
    rememberEmoji(sign);
    return `${text.slice(0, text.length - (wanted?.length ?? 0) - 1)}${sign} `;
  };
  const onKey = (event: KeyboardEvent): string | null => {
    if (found.length === 0) return null;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive((place + step + found.length) % found.length);
    else if (event.key === 'Escape') setClosedFor(text);
    else if ((event.key === 'Enter' || event.key === 'Tab') && found[place]) return use(found[place]);
    else return null;
    return '';
  };
  return { found, active: place, use, onKey };
}

export function EmojiCompletion({
  completion,
  onUse,
}: {
  readonly completion: Completion;
  readonly onUse: (text: string) => void;
}) {
  const { found, active, use } = completion;
  if (found.length === 0) return null;
  return (
    <div
      role="listbox"
      aria-label={t('emoji.search')}
      className="popup absolute start-3 bottom-full z-10 mb-1 w-72 max-w-full p-1"
    >
      {found.map((emoji, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field below.
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field below.
        <div
          key={emoji.sign}
          role="option"
          aria-selected={place === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onUse(use(emoji))}
          className="flex min-h-control-small cursor-pointer items-center gap-3 rounded px-2.5 py-1 aria-selected:bg-selected"
        >
          <span>{emoji.sign}</span>
          <span className="truncate text-muted">{emoji.name}</span>
        </div>
      ))}
    </div>
  );
}
