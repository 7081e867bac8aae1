import { Dialog } from '@base-ui/react/dialog';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Keys } from '../components/keys.tsx';
import { t } from '../locales/text.ts';
import type { AppCommand } from './command-registry.ts';
import { useSearchFor } from './search-commands.tsx';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly commands: readonly AppCommand[];
}

/** Every command, found by typing. */
export function Palette({ isOpen, onClose, commands }: Props) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 bg-[rgb(10_12_20/32%)]" />
        <Dialog.Popup
          className="popup fixed inset-x-3 top-[12dvh] mx-auto max-w-xl overflow-hidden"
          aria-label={t('command.palette')}
        >
          <Search commands={commands} onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Search({ commands, onClose }: Omit<Props, 'isOpen'>) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const searchFor = useSearchFor(text);
  const named = commands.filter(({ id, name }) => id !== 'palette' && matches(name, text));
  const found = searchFor === null ? named : [...named, searchFor];
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });
  const run = (command: AppCommand | undefined) => {
    if (command === undefined) return;
    onClose();
    // What the command opens takes the focus after the palette has given it back.
    setTimeout(command.run);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive((active + step + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) run(found[active]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        // biome-ignore lint/a11y/noAutofocus: the palette is opened to type into it.
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found[active] && `palette-${found[active].id}`}
        aria-label={t('command.search')}
        placeholder={t('command.search')}
        className="w-full border-b border-line bg-transparent px-4 py-3 text-base outline-none"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        ref={list}
        id="palette-list"
        // A list box must have an option.
        {...(found.length > 0 && { role: 'listbox', 'aria-label': t('command.palette') })}
        className="scroll-area max-h-[50dvh] p-1.5"
      >
        {found.map((command, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above.
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field above.
          <div
            key={command.id}
            id={`palette-${command.id}`}
            role="option"
            aria-selected={place === active}
            className="flex min-h-control cursor-pointer items-center gap-3 rounded-md px-2.5 py-2 aria-selected:bg-selected"
            onMouseMove={() => setActive(place)}
            onClick={() => run(command)}
          >
            <span className="w-24 shrink-0 truncate text-xs text-muted">{t(command.group)}</span>
            <span className="min-w-0 grow truncate">{command.name}</span>
            {command.key && <Keys of={command.key} />}
          </div>
        ))}
        {found.length === 0 && <p className="px-2.5 py-6 text-center text-muted">{t('command.none')}</p>}
      </div>
    </>
  );
}

/** Whether the name holds every word of the text. */
function matches(name: string, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => name.toLowerCase().includes(word));
}
