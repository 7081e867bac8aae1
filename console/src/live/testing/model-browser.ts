/** A browser with several tabs against the model of the service: locks, channels, storage, and tabs that die or sleep. */
import type { Command, Outcome } from '../commands.ts';
import { SharedStream } from '../shared-stream.ts';
import { type LiveSource, StreamExpired, type StreamFrame } from '../source.ts';
import type { TabMessage } from '../stream-messages.ts';
import { LiveSync } from '../sync.ts';
import { type KeptCommand, type KeptMessage, type OutboxStorage, TabOutbox } from '../tab-outbox.ts';
import type { TabChannel, TabLock, TabLocks } from '../tabs.ts';
import type { ModelServer } from './model-server.ts';
import type { ModelList } from './model-tab.ts';

interface WaitingLock {
  readonly tab: BrowserTab;
  readonly grant: (lock: TabLock) => void;
}

export class ModelBrowser {
  readonly server: ModelServer;
  readonly lists: readonly ModelList[];
  readonly tabs: BrowserTab[] = [];
  readonly kept = new Map<string, KeptCommand>();
  /** Streams of this browser that the service serves. */
  readonly streams = new Set<() => void>();
  isServiceUp = true;
  readonly #holders = new Map<string, { readonly tab: BrowserTab; readonly lost: AbortController }>();
  readonly #waiting = new Map<string, WaitingLock[]>();
  readonly #wakes = new Set<() => void>();

  constructor(server: ModelServer, lists: readonly ModelList[]) {
    this.server = server;
    this.lists = lists;
  }

  openTab(): BrowserTab {
    const tab = new BrowserTab(this);
    this.tabs.push(tab);
    return tab;
  }

  /** The process of a tab ends: nothing that it was about to do is done. */
  kill(tab: BrowserTab): void {
    tab.isDead = true;
    tab.wake();
    this.tabs.splice(this.tabs.indexOf(tab), 1);
    tab.sync.stop();
    for (const [name, holder] of this.#holders) if (holder.tab === tab) this.#release(name);
    for (const [name, waiting] of this.#waiting) {
      this.#waiting.set(
        name,
        waiting.filter((one) => one.tab !== tab),
      );
    }
  }

  /** Every line to the service breaks. */
  cut(): void {
    for (const cut of [...this.streams]) cut();
  }

  /** Streams look for what is new. */
  emit(): void {
    for (const wake of [...this.#wakes]) wake();
  }

  acquire(tab: BrowserTab, name: string, signal: AbortSignal, isStolen: boolean): Promise<TabLock | null> {
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(null));
      if (tab.isDead || signal.aborted) return resolve(null);
      if (isStolen) {
        this.#holders.get(name)?.lost.abort();
        this.#holders.delete(name);
      }
      const waiting = { tab, grant: resolve };
      const others = (this.#waiting.get(name) ?? []).filter((one) => !one.tab.isDead);
      this.#waiting.set(name, isStolen ? [waiting, ...others] : [...others, waiting]);
      this.#grant(name);
    });
  }

  #grant(name: string): void {
    if (this.#holders.has(name)) return;
    const next = this.#waiting.get(name)?.shift();
    if (next === undefined) return;
    const lost = new AbortController();
    const held = { tab: next.tab, lost };
    this.#holders.set(name, held);
    const release = () => {
      if (this.#holders.get(name) === held) this.#release(name);
    };
    next.grant({ lost: lost.signal, release });
  }

  #release(name: string): void {
    this.#holders.delete(name);
    queueMicrotask(() => this.#grant(name));
  }

  post(from: BrowserTab, topic: string, message: unknown): void {
    const copy = structuredClone(message);
    for (const tab of this.tabs) if (tab !== from) tab.receive(topic, copy);
  }

  async *stream(after: string | null, signal: AbortSignal): AsyncGenerator<StreamFrame> {
    if (!this.isServiceUp) throw new Error('The service is away.');
    const { server } = this;
    let place = after === null ? server.head : server.events.findIndex(({ id }) => id === after) + 1;
    if (after !== null && after !== 'start' && place === 0) throw new StreamExpired('Too long ago.');
    let isCut = false;
    let wake: () => void = () => undefined;
    const cut = () => {
      isCut = true;
      wake();
    };
    const ring = () => wake();
    this.streams.add(cut);
    this.#wakes.add(ring);
    signal.addEventListener('abort', ring);
    try {
      yield { position: server.events[place - 1]?.id ?? 'start', event: null, isCut: false };
      while (!signal.aborted && !isCut) {
        const event = server.events[place];
        if (event !== undefined) {
          place += 1;
          yield { position: event.id, event, isCut: false };
          continue;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      this.streams.delete(cut);
      this.#wakes.delete(ring);
    }
  }
}

export class BrowserTab {
  readonly sync: LiveSync;
  isDead = false;
  readonly #browser: ModelBrowser;
  readonly #listeners = new Map<string, Set<(message: unknown) => void>>();
  #asleep: { readonly promise: Promise<void>; readonly resolve: () => void } | null = null;
  #unheard: (() => void)[] = [];

  constructor(browser: ModelBrowser) {
    this.#browser = browser;
    const locks: TabLocks = { acquire: (name, signal, isStolen) => browser.acquire(this, name, signal, isStolen) };
    const channel = this.#channel<TabMessage>('stream');
    const shared = new SharedStream({ channel, locks, open: (after, signal) => this.#stream(after, signal) });
    const source = this.#source((after, signal) => shared.open(after, signal));
    const outbox = new TabOutbox({ storage: this.#storage(), channel: this.#channel<KeptMessage>('outbox'), locks });
    this.sync = new LiveSync(source, outbox);
    void this.sync.start();
    for (const list of browser.lists) this.sync.watch({ ...list, query: {} });
  }

  get isAsleep(): boolean {
    return this.#asleep !== null;
  }

  /** The browser lets the tab do nothing. */
  sleep(): void {
    if (this.#asleep !== null) return;
    let resolve: () => void = () => undefined;
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    this.#asleep = { promise, resolve };
  }

  wake(): void {
    this.#asleep?.resolve();
    this.#asleep = null;
    for (const hear of this.#unheard.splice(0)) hear();
  }

  receive(topic: string, message: unknown): void {
    const hear = () => {
      if (this.isDead) return;
      if (this.#asleep !== null) return void this.#unheard.push(hear);
      for (const take of this.#listeners.get(topic) ?? []) take(message);
    };
    setTimeout(hear, 1);
  }

  #channel<M>(topic: string): TabChannel<M> {
    return {
      post: (message) => {
        const say = () => !this.isDead && this.#browser.post(this, topic, message);
        if (this.#asleep === null) say();
        else void this.#asleep.promise.then(say);
      },
      listen: (take) => {
        const listeners = this.#listeners.get(topic) ?? new Set();
        this.#listeners.set(topic, listeners.add(take as (message: unknown) => void));
        return () => listeners.delete(take as (message: unknown) => void);
      },
    };
  }

  async *#stream(after: string | null, signal: AbortSignal): AsyncGenerator<StreamFrame> {
    for await (const frame of this.#browser.stream(after, signal)) {
      await this.#asleep?.promise;
      if (this.isDead) return;
      yield frame;
    }
  }

  #storage(): OutboxStorage {
    const { kept } = this.#browser;
    const alive = async () => {
      await this.#asleep?.promise;
      if (this.isDead) throw new Error('The tab is gone.');
    };
    return {
      all: async () => {
        await alive();
        return [...kept.values()];
      },
      put: async (commands) => {
        await alive();
        for (const command of commands) kept.set(command.key, command);
      },
      delete: async (key) => {
        await alive();
        kept.delete(key);
      },
    };
  }

  #source(stream: LiveSource['stream']): LiveSource {
    const browser = this.#browser;
    const { server } = browser;
    const answer = async <T>(read: () => T): Promise<T> => {
      await this.#asleep?.promise;
      if (!browser.isServiceUp) throw new Error('The service is away.');
      const value = read();
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (this.isDead) await new Promise(() => undefined);
      return value;
    };
    return {
      stream,
      list: async (list, cursor) => {
        const { conversations, cursor: next } = await answer(() => server.list(list.holds, list.sort, cursor));
        return { items: conversations, cursor: next };
      },
      conversation: (id) => answer(() => server.conversations.get(id) ?? null),
      thread: (id, cursor) => answer(() => server.thread(id, cursor)),
      execute: (command: Command): Promise<Outcome> =>
        answer(() => {
          const outcome = server.execute(command);
          browser.emit();
          return outcome;
        }),
    };
  }
}
