/** Every action is one registered command: menus, the palette, keys and the page of help are views of this list. */
import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { t } from '../locales/text.ts';
import { type AppCommand, CommandRegistry } from './command-registry.ts';

interface Commands {
  readonly registry: CommandRegistry;
  readonly openPalette: () => void;
  readonly openHelp: () => void;
}

const Help = lazy(async () => ({ default: (await import('./help.tsx')).Help }));
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

const CommandsContext = createContext<Commands | null>(null);
const SEQUENCE_MS = 900;

/** Holds the commands, runs them by their keys, and shows the lists of them. What it provides never changes. */
export function CommandsProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<'palette' | 'help' | null>(null);
  const [provided] = useState<Commands>(() => ({
    registry: new CommandRegistry(),
    openPalette: () => setShown('palette'),
    openHelp: () => setShown('help'),
  }));
  const { registry, openPalette, openHelp } = provided;
  useEffect(
    () =>
      registry.register(provided, [
        { id: 'palette', name: t('command.palette'), group: 'group.general', key: 'Mod+k', run: openPalette },
        { id: 'help', name: t('command.help'), group: 'group.general', key: '?', run: openHelp },
      ]),
    [registry, provided, openPalette, openHelp],
  );
  useKeys(registry, shown === null);
  return (
    <CommandsContext value={provided}>
      {children}
      <Suspense>
        {shown !== null && <Listed kind={shown} registry={registry} onClose={() => setShown(null)} />}
      </Suspense>
    </CommandsContext>
  );
}

interface ListedProps {
  readonly kind: 'palette' | 'help';
  readonly registry: CommandRegistry;
  readonly onClose: () => void;
}

function Listed({ kind, registry, onClose }: ListedProps) {
  const commands = useSyncExternalStore(registry.subscribe, registry.list);
  const List = kind === 'palette' ? Palette : Help;
  return <List isOpen onClose={onClose} commands={commands} />;
}

/** The commands, and how their lists are opened. It is stable. */
export function useRegistry(): Commands {
  const commands = useContext(CommandsContext);
  if (commands === null) throw new Error('Commands are registered inside of CommandsProvider alone.');
  return commands;
}

/** Registers these commands while the component is shown. Memoize the list: each new list is registered again. */
export function useCommands(commands: readonly AppCommand[]): void {
  const { registry } = useRegistry();
  const owner = useRef({});
  useEffect(() => registry.register(owner.current, commands), [registry, commands]);
}

/** Keys are off while somebody types, but for those with a modifier. */
function useKeys(registry: CommandRegistry, isOn: boolean): void {
  useEffect(() => {
    let first = '';
    let at = 0;
    const listen = (event: KeyboardEvent) => {
      const pressed = nameOf(event);
      if (pressed === null || !isOn || event.defaultPrevented) return;
      if (isTyping(event.target) && !pressed.startsWith('Mod+')) return;
      const sequence = event.timeStamp - at < SEQUENCE_MS && first !== '' ? `${first} ${pressed}` : pressed;
      const found = registry.find(sequence, pressed);
      [first, at] = [pressed, event.timeStamp];
      if (found === undefined) return;
      event.preventDefault();
      first = '';
      found.run();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [registry, isOn]);
}

function nameOf({ key, metaKey, ctrlKey, altKey, isComposing }: KeyboardEvent): string | null {
  if (altKey || isComposing) return null;
  return metaKey || ctrlKey ? `Mod+${key.toLowerCase()}` : key;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], [role=menu]') !== null
  );
}
