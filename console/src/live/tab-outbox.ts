/** The outbox of one tab. Commands belong to the tab that was given them; those of a tab that is gone go to another one. */
import type { Command } from './commands.ts';
import type { Outbox } from './source.ts';
import type { TabChannel, TabLocks } from './tabs.ts';
import { randomKey } from './waits.ts';

export interface KeptCommand extends Command {
  /** The tab that sends it. */
  readonly tab: string;
}

/** What all tabs of the browser can read. */
export interface OutboxStorage {
  all(): Promise<readonly KeptCommand[]>;
  /** Stores all of them or none. */
  put(commands: readonly KeptCommand[]): Promise<void>;
  delete(key: string): Promise<void>;
}

/** A tab says that it is about to keep something. */
export interface KeptMessage {
  readonly tab: string;
}

interface Deps {
  readonly storage: OutboxStorage;
  readonly channel: TabChannel<KeptMessage>;
  readonly locks: TabLocks;
}

/** A tab has this lock as long as it lives. */
const lockOf = (tab: string): string => `tab ${tab}`;

export class TabOutbox implements Outbox {
  readonly #deps: Deps;
  readonly #tab = randomKey();
  readonly #end = new AbortController();
  readonly #watched = new Set<string>([this.#tab]);
  /** What is stored is stored in order: what was taken back must not be kept after that. */
  #last: Promise<unknown>;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#last = deps.locks.acquire(lockOf(this.#tab), this.#end.signal, false).then((lock) => {
      this.#end.signal.addEventListener('abort', () => lock?.release());
      if (this.#end.signal.aborted) lock?.release();
    });
  }

  keep(command: Command): Promise<void> {
    return this.#next(async () => {
      // Said first: a tab that ends between the two is looked after all the same.
      this.#deps.channel.post({ tab: this.#tab });
      await this.#deps.storage.put([{ ...command, tab: this.#tab }]);
    });
  }

  forget(key: string): Promise<void> {
    return this.#next(() => this.#deps.storage.delete(key));
  }

  onLeft(take: (commands: readonly Command[]) => void): () => void {
    const watch = (tab: string) => {
      if (this.#watched.has(tab)) return;
      this.#watched.add(tab);
      // Where nothing can be read, the next message about the tab is another try.
      void this.#inherit(tab, take)
        .catch(() => undefined)
        .finally(() => this.#watched.delete(tab));
    };
    const stopListening = this.#deps.channel.listen(({ tab }) => watch(tab));
    void this.#deps.storage.all().then(
      (kept) => {
        for (const { tab } of kept) watch(tab);
      },
      () => undefined,
    );
    return () => {
      stopListening();
      this.#end.abort();
    };
  }

  /** Waits until the tab is gone, and takes over what it has left. Of all that wait, one finds something. */
  async #inherit(tab: string, take: (commands: readonly Command[]) => void): Promise<void> {
    const { signal } = this.#end;
    const lock = await this.#deps.locks.acquire(lockOf(tab), signal, false);
    if (lock === null) return;
    try {
      const left = (await this.#deps.storage.all()).filter((one) => one.tab === tab);
      if (left.length === 0 || signal.aborted) return;
      this.#deps.channel.post({ tab: this.#tab });
      await this.#deps.storage.put(left.map((one) => ({ ...one, tab: this.#tab })));
      take(left.map(({ tab: _, ...command }) => command));
    } finally {
      lock.release();
    }
  }

  #next(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work, work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
