/** The commands that exist at the moment. Screens that list them subscribe; registering one redraws nothing. */
import type { TextName } from '../locales/text.ts';

export interface AppCommand {
  readonly id: string;
  readonly name: string;
  readonly group: TextName;
  /** As KeyboardEvent.key names it; two that follow each other are divided by a space. */
  readonly key?: string;
  readonly run: () => void;
}

/** What is nearest to what somebody does comes first; one command may be registered by several menus. */
const GROUPS: readonly TextName[] = ['group.conversation', 'group.list', 'group.general'];

export class CommandRegistry {
  readonly #byOwner = new Map<object, readonly AppCommand[]>();
  readonly #listeners = new Set<() => void>();
  #sorted: readonly AppCommand[] | null = null;
  #settle: () => void = () => undefined;

  /** Adds commands in place of those that the same owner has registered. @returns what takes them away */
  register(owner: object, commands: readonly AppCommand[]): () => void {
    this.#byOwner.set(owner, commands);
    this.#changed();
    return () => {
      this.#byOwner.delete(owner);
      this.#changed();
    };
  }

  /** All commands in their order; the same array until one changes. */
  readonly list = (): readonly AppCommand[] => {
    this.#sorted ??= sorted([...this.#byOwner.values()].flat());
    return this.#sorted;
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Has a screen that shows a choice before all of it is drawn draw the rest. @returns what ends it */
  onSettle(settle: () => void): () => void {
    this.#settle = settle;
    return () => {
      if (this.#settle === settle) this.#settle = () => undefined;
    };
  }

  /** The command of the first of these keys that has one. */
  find(...keys: readonly string[]): AppCommand | undefined {
    const found = this.#find(keys);
    // Steps through a list wait for nothing. All else acts on what is marked: that has to be there first.
    if (found?.group === 'group.list') return found;
    this.#settle();
    return this.#find(keys);
  }

  #find(keys: readonly string[]): AppCommand | undefined {
    const commands = this.list();
    for (const pressed of keys) {
      const found = commands.find(({ key }) => key === pressed);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #changed(): void {
    this.#sorted = null;
    for (const listener of this.#listeners) listener();
  }
}

function sorted(commands: readonly AppCommand[]): readonly AppCommand[] {
  const once = [...new Map(commands.map((command) => [command.id, command])).values()];
  return once.sort((left, right) => GROUPS.indexOf(left.group) - GROUPS.indexOf(right.group));
}
