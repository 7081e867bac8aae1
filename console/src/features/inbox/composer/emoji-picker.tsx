import { useState } from 'react';
import { t } from '../../../locales/text.ts';
import { EMOJI, type Emoji, type EmojiGroup, findEmoji, GROUP_NAMES } from './emoji.ts';
import { recentEmoji, rememberEmoji } from './recent-emoji.ts';

interface Props {
  readonly onPick: (sign: string) => void;
  readonly onClose: () => void;
}

const FOUND = 60;

/** Every emoji, by group or by name; those that were used last come first. */
export function EmojiPicker({ onPick, onClose }: Props) {
  const [wanted, setWanted] = useState('');
  const [group, setGroup] = useState<EmojiGroup | 'recent'>(() => (recentEmoji().length > 0 ? 'recent' : 'smileys'));
  const found = findEmoji(wanted, FOUND);
  const recent = recentEmoji().map((sign) => ({ sign, name: sign }));
  const shown = wanted.trim() !== '' ? found : group === 'recent' ? recent : (EMOJI.get(group) ?? []);
  const pick = (sign: string) => {
    rememberEmoji(sign);
    onPick(sign);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what is open, wherever the focus is in it.
    <div
      className="popup absolute end-0 bottom-full z-10 mb-1 flex h-80 w-80 max-w-full pointer-coarse:w-96 flex-col overflow-hidden"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the picker is opened to search in it.
        autoFocus
        value={wanted}
        aria-label={t('emoji.search')}
        placeholder={t('emoji.search')}
        onChange={(event) => setWanted(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || found[0] === undefined) return;
          event.preventDefault();
          pick(found[0].sign);
        }}
        className="min-h-field border-b border-line bg-transparent px-3 outline-none"
      />
      <div
        role="tablist"
        aria-label={t('emoji.groups')}
        className="flex shrink-0 gap-0.5 overflow-x-auto border-b border-line p-1 [scrollbar-width:none]"
      >
        {(recent.length > 0 ? (['recent', ...GROUP_NAMES] as const) : GROUP_NAMES).map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={group === name && wanted === ''}
            aria-label={t(`emoji.${name}`)}
            title={t(`emoji.${name}`)}
            onClick={() => {
              setWanted('');
              setGroup(name);
            }}
            className="grid h-control-small min-w-control-small grow place-items-center rounded hover:bg-hover aria-selected:bg-selected"
          >
            {name === 'recent' ? '🕘' : EMOJI.get(name)?.[0]?.sign}
          </button>
        ))}
      </div>
      <Signs shown={shown} onPick={pick} />
    </div>
  );
}

function Signs({ shown, onPick }: { readonly shown: readonly Emoji[]; readonly onPick: (sign: string) => void }) {
  if (shown.length === 0) return <p className="p-4 text-center text-sm text-muted">{t('emoji.none')}</p>;
  return (
    <div className="scroll-area grid grow auto-rows-[2.25rem] grid-cols-8 p-1.5 pointer-coarse:auto-rows-[2.75rem] pointer-coarse:grid-cols-7">
      {shown.map(({ sign, name }) => (
        <button
          key={sign}
          type="button"
          title={name}
          aria-label={name}
          onClick={() => onPick(sign)}
          className="grid place-items-center rounded text-xl hover:bg-hover"
        >
          {sign}
        </button>
      ))}
    </div>
  );
}
