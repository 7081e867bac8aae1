/** Every action is one registered command: menus, the palette, keys and the page of help are views of this list. */
import { createContext, lazy, type ReactNode, Suspense, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { type TextName, t } from '../locales/text.ts';

export interface AppCommand {
  readonly id: string;
  readonly name: string;
  readonly group: TextName;
  /** As KeyboardEvent.key names it; two that follow each other are divided by a space. */
  readonly key?: string;
  readonly run: () => void;
}

interface Registry {
  readonly commands: readonly AppCommand[];
  readonly register: (owner: object, commands: readonly AppCommand[]) => () => void;
  readonly openPalette: () => void;
  readonly openHelp: () => void;
}

const Help = lazy(async () => ({ default: (await import('./help.tsx')).Help }));
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

const CommandsContext = createContext<Registry | null>(null);
const SEQUENCE_MS = 900;

export function CommandsProvider({ children }: { readonly children: ReactNode }) {
  const [registered, setRegistered] = useState<ReadonlyMap<object, readonly AppCommand[]>>(new Map());
  const [shown, setShown] = useState<'palette' | 'help' | null>(null);
  const own = useMemo<readonly AppCommand[]>(
    () => [
      {
        id: 'palette',
        name: t('command.palette'),
        group: 'group.general',
        key: 'Mod+k',
        run: () => setShown('palette'),
      },
      { id: 'help', name: t('command.help'), group: 'group.general', key: '?', run: () => setShown('help') },
    ],
    [],
  );
  const commands = useMemo(() => sorted([...[...registered.values()].flat(), ...own]), [registered, own]);
  useKeys(commands, shown === null);
  const registry = useMemo<Registry>(
    () => ({
      commands,
      register: (owner, list) => {
        setRegistered((before) => new Map(before).set(owner, list));
        return () =>
          setRegistered((before) => {
            const rest = new Map(before);
            rest.delete(owner);
            return rest;
          });
      },
      openPalette: () => setShown('palette'),
      openHelp: () => setShown('help'),
    }),
    [commands],
  );
  return (
    <CommandsContext value={registry}>
      {children}
      <Suspense>
        {shown === 'palette' && <Palette isOpen onClose={() => setShown(null)} commands={commands} />}
        {shown === 'help' && <Help isOpen onClose={() => setShown(null)} commands={commands} />}
      </Suspense>
    </CommandsContext>
  );
}

/** What is nearest to what somebody does comes first; one command may be registered by several menus. */
const GROUPS: readonly TextName[] = ['group.conversation', 'group.list', 'group.general'];

function sorted(commands: readonly AppCommand[]): readonly AppCommand[] {
  const once = [...new Map(commands.map((command) => [command.id, command])).values()];
  return once.sort((left, right) => GROUPS.indexOf(left.group) - GROUPS.indexOf(right.group));
}

export function useRegistry(): Registry {
  const registry = useContext(CommandsContext);
  if (registry === null) throw new Error('Commands are registered inside of CommandsProvider alone.');
  return registry;
}

/** Registers these commands while the component is shown. Memoize the list: each new list is registered again. */
export function useCommands(commands: readonly AppCommand[]): void {
  const { register } = useRegistry();
  const owner = useRef({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: registering makes a new registry, which must not register again.
  useEffect(() => register(owner.current, commands), [commands]);
}

/** Keys are off while somebody types, but for those with a modifier. */
function useKeys(commands: readonly AppCommand[], isOn: boolean): void {
  const current = useRef(commands);
  current.current = commands;
  useEffect(() => {
    let first = '';
    let at = 0;
    const listen = (event: KeyboardEvent) => {
      const pressed = nameOf(event);
      if (pressed === null || !isOn || event.defaultPrevented) return;
      if (isTyping(event.target) && !pressed.startsWith('Mod+')) return;
      const sequence = event.timeStamp - at < SEQUENCE_MS && first !== '' ? `${first} ${pressed}` : pressed;
      const found =
        current.current.find(({ key }) => key === sequence) ?? current.current.find(({ key }) => key === pressed);
      [first, at] = [pressed, event.timeStamp];
      if (found === undefined) return;
      event.preventDefault();
      first = '';
      found.run();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [isOn]);
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
