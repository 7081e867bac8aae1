/** Keeps a client up to date: reads the stream, reads what is stale, and sends commands. */
import {
  beginTry,
  type Client,
  commandsToTry,
  dropCommand,
  emptyClient,
  finishTry,
  receive,
  submit,
  withState,
} from './client.ts';
import type { Command, Intent } from './commands.ts';
import { type Conversation, isInbound, type LiveEvent } from './model.ts';
import { mergeConversations, mergeList, mergeThread, openThread } from './reads.ts';
import { type LiveList, type LiveSource, type Outbox, SignedOut, StreamExpired } from './source.ts';
import { markStale } from './state.ts';
import { type PromiseWithResolvers, pause, randomKey, withResolvers } from './waits.ts';

/** How the line to the service is. */
export type Line = 'connecting' | 'current' | 'catching_up' | 'offline' | 'signed_out';

export interface Snapshot {
  readonly client: Client;
  readonly line: Line;
  /** Events that came since the line was taken up again. */
  readonly caughtUp: number;
  /** Lists whose last read failed. */
  readonly failed: ReadonlySet<string>;
}

/** What is stale is read together, once so much time has passed: events of one matter come close together. */
const REFRESH_MS = 120;
/** Events are applied together, at most once a frame. */
const FRAME_MS = 16;
const RETRY_MS = [500, 1_000, 2_000, 5_000, 10_000] as const;
/** Files of customers are fetched from the network within seconds; no event says when. */
const MEDIA_MS = 2_000;
const READS_AT_ONCE = 6;

export class LiveSync {
  #snapshot: Snapshot = { client: emptyClient, line: 'connecting', caughtUp: 0, failed: new Set() };
  readonly #listeners = new Set<() => void>();
  readonly #eventListeners = new Set<(events: readonly LiveEvent[]) => void>();
  readonly #lists = new Map<string, LiveList>();
  readonly #busy = new Set<string>();
  readonly #end = new AbortController();
  #received: LiveEvent[] = [];
  #frame: ReturnType<typeof setTimeout> | null = null;
  #refresh: ReturnType<typeof setTimeout> | null = null;
  #retry: ReturnType<typeof setTimeout> | null = null;
  #tries = 0;
  #connected: PromiseWithResolvers<void> = withResolvers();

  readonly source: LiveSource;
  readonly outbox: Outbox;

  constructor(source: LiveSource, outbox: Outbox) {
    this.source = source;
    this.outbox = outbox;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly snapshot = (): Snapshot => this.#snapshot;

  /** Calls back for every event, after it was applied: for what is shown elsewhere than in the live store. */
  onEvents(listener: (events: readonly LiveEvent[]) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  /** Runs until `stop`. */
  async start(): Promise<void> {
    const waiting = await this.outbox.all().catch(() => []);
    for (const command of waiting)
      this.#client((client) => submit(client, { ...command, progress: { at: 'waiting' }, isRepeated: true }));
    let position: string | null = null;
    for (let failures = 0; !this.#end.signal.aborted; failures++) {
      try {
        for await (const frame of this.source.stream(position, this.#end.signal)) {
          failures = 0;
          if (frame.isCut) {
            this.#set({ line: 'offline' });
            continue;
          }
          position = frame.position;
          this.#isConnected();
          if (frame.event !== null) this.#take(frame.event);
        }
      } catch (error) {
        if (error instanceof SignedOut) return this.#set({ line: 'signed_out' });
        if (error instanceof StreamExpired) {
          position = null;
          this.#forget();
          continue;
        }
      }
      if (this.#end.signal.aborted) return;
      if (failures > 0) this.#set({ line: 'offline' });
      await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0, this.#end.signal);
    }
  }

  stop(): void {
    this.#end.abort();
    for (const timer of [this.#frame, this.#refresh, this.#retry]) if (timer !== null) clearTimeout(timer);
  }

  /** Holds a list from now on, and reads its first page. */
  watch(list: LiveList): void {
    this.#lists.set(list.name, list);
    if (!this.#snapshot.client.state.lists.has(list.name)) void this.#readList(list, null);
  }

  /** Reads the next page of a list, or its first again when that failed. */
  more(name: string): void {
    const list = this.#lists.get(name);
    const held = this.#snapshot.client.state.lists.get(name);
    if (list && (held === undefined || held.cursor !== null)) void this.#readList(list, held?.cursor ?? null);
  }

  open(conversationId: string): void {
    const { state } = this.#snapshot.client;
    if (state.threads.get(conversationId)?.isLoaded) return;
    this.#state((held) => openThread(held, conversationId));
  }

  /** Reads older items of a thread. */
  async older(conversationId: string): Promise<void> {
    const cursor = this.#snapshot.client.state.threads.get(conversationId)?.older ?? null;
    if (cursor === null) return;
    await this.#once(`older ${conversationId}`, async (startedAt) => {
      const { items, cursor: next } = await this.source.thread(conversationId, cursor);
      this.#state((state) => mergeThread(state, { startedAt, conversationId, items, cursor: next, isOlder: true }));
    });
  }

  /** Does something in a conversation: it is seen at once, and sent as soon as there is a line. */
  submit(conversationId: string, intent: Intent): Command {
    const issuedAt = new Date().toISOString();
    const command: Command = { key: randomKey(), conversationId, intent, issuedAt, progress: { at: 'waiting' } };
    void this.outbox.keep(command).catch(() => undefined);
    this.#client((client) => submit(client, command));
    return command;
  }

  /** Forgets what was refused. */
  drop(key: string): void {
    void this.outbox.forget(key).catch(() => undefined);
    this.#client((client) => dropCommand(client, key));
  }

  /** Tries at once what waits for a line. */
  hurry(): void {
    this.#tries = 0;
    this.#try();
  }

  #take(event: LiveEvent): void {
    this.#received.push(event);
    this.#frame ??= setTimeout(() => this.#flush(), FRAME_MS);
  }

  #flush(): void {
    this.#frame = null;
    const events = this.#received;
    this.#received = [];
    const { line, caughtUp } = this.#snapshot;
    if (line === 'catching_up') this.#set({ caughtUp: caughtUp + events.length });
    this.#client((client) => receive(client, events));
    for (const listener of this.#eventListeners) listener(events);
    if (this.#snapshot.line === 'catching_up') this.#set({ line: 'current' });
  }

  #isConnected(): void {
    const { line } = this.#snapshot;
    if (line === 'current' || line === 'catching_up') return;
    this.#set(line === 'connecting' ? { line: 'current' } : { line: 'catching_up', caughtUp: 0 });
    this.#connected.resolve();
    this.#frame ??= setTimeout(() => this.#flush(), FRAME_MS);
    for (const list of this.#lists.values()) {
      if (!this.#snapshot.client.state.lists.has(list.name)) void this.#readList(list, null);
    }
    this.hurry();
    this.#later();
  }

  /** What is held may have gaps that nobody can fill: it is read again, under the commands that wait. */
  #forget(): void {
    const { state } = this.#snapshot.client;
    this.#connected = withResolvers();
    this.#set({ line: 'connecting' });
    this.#client(({ commands }) => ({ ...emptyClient, commands }));
    for (const id of state.threads.keys()) this.#state((held) => openThread(held, id));
  }

  async #readList(list: LiveList, cursor: string | null): Promise<void> {
    await this.#connected.promise;
    await this.#once(`list ${list.name}`, async (startedAt) => {
      try {
        const { items, cursor: next } = await this.source.list(list, cursor);
        const page = { startedAt, list: list.name, sort: list.sort, conversations: items, cursor: next };
        this.#fail(list.name, false);
        this.#state((state) => mergeList(state, page));
      } catch {
        this.#fail(list.name, true);
      }
    });
  }

  #fail(name: string, hasFailed: boolean): void {
    const failed = new Set(this.#snapshot.failed);
    if (hasFailed) failed.add(name);
    else failed.delete(name);
    this.#set({ failed });
  }

  #later(): void {
    const { conversations, threads } = this.#snapshot.client.state.stale;
    if (conversations.size + threads.size === 0 || this.#snapshot.line === 'offline') return;
    this.#refresh ??= setTimeout(() => {
      this.#refresh = null;
      void this.#readStale();
    }, REFRESH_MS);
  }

  async #readStale(): Promise<void> {
    await this.#connected.promise;
    const { conversations, threads } = this.#snapshot.client.state.stale;
    const reads = [
      ...[...threads].map((id) => () => this.#readThread(id)),
      ...[...conversations].map((id) => () => this.#readConversation(id)),
    ];
    await Promise.all(reads.slice(0, READS_AT_ONCE).map((read) => read()));
    this.#later();
  }

  #readThread(conversationId: string): Promise<void> {
    return this.#once(`thread ${conversationId}`, async (startedAt) => {
      const { items, cursor } = await this.source.thread(conversationId, null);
      this.#state((state) => mergeThread(state, { startedAt, conversationId, items, cursor, isOlder: false }));
      const waits = items.some((one) => isInbound(one) && one.media?.status === 'pending');
      if (waits) setTimeout(() => this.#state((state) => markStale(state, 'threads', conversationId)), MEDIA_MS);
    });
  }

  #readConversation(id: string): Promise<void> {
    return this.#once(`conversation ${id}`, async (startedAt) => {
      const conversations = new Map<string, Conversation | null>([[id, await this.source.conversation(id)]]);
      this.#state((state) => mergeConversations(state, { startedAt, conversations }));
    });
  }

  /** One read of a thing at a time; one that fails is made again with the next refresh. */
  async #once(what: string, read: (startedAt: number) => Promise<void>): Promise<void> {
    if (this.#busy.has(what)) return;
    this.#busy.add(what);
    try {
      await read(this.#snapshot.client.state.head);
    } catch (error) {
      if (error instanceof SignedOut) this.#set({ line: 'signed_out' });
      else await pause(RETRY_MS[1], this.#end.signal);
    } finally {
      this.#busy.delete(what);
    }
  }

  #try(): void {
    for (const command of commandsToTry(this.#snapshot.client)) void this.#tryOne(command);
  }

  async #tryOne(command: Command): Promise<void> {
    const { key } = command;
    const startedAt = this.#snapshot.client.state.head;
    this.#set({ client: beginTry(this.#snapshot.client, key) });
    const outcome = await this.source.execute(command).catch(() => ({ kind: 'lost' }) as const);
    if (outcome.kind === 'lost') {
      this.#retry ??= setTimeout(
        () => {
          this.#retry = null;
          this.#try();
        },
        RETRY_MS[Math.min(this.#tries++, RETRY_MS.length - 1)],
      );
      return this.#set({ client: finishTry(this.#snapshot.client, key, outcome, startedAt) });
    }
    this.#tries = 0;
    void this.outbox.forget(key).catch(() => undefined);
    this.#client((client) => finishTry(client, key, outcome, startedAt));
  }

  #state(change: (state: Client['state']) => Client['state']): void {
    this.#client((client) => withState(client, change(client.state)));
  }

  #client(change: (client: Client) => Client): void {
    this.#set({ client: change(this.#snapshot.client) });
    this.#later();
    this.#try();
  }

  #set(change: Partial<Snapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of this.#listeners) listener();
  }
}
