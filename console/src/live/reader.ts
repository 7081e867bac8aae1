/** Reads what the screens show and what events have made stale: one read of a thing at a time. */
import { type Conversation, isInbound } from './model.ts';
import { mergeConversations, mergeList, mergeThread, openThread } from './reads.ts';
import { type LiveList, type LiveSource, SignedOut } from './source.ts';
import { markStale } from './state.ts';
import { type LiveStore, retryMs } from './store.ts';
import { type PromiseWithResolvers, withResolvers } from './waits.ts';

/** What is stale is read together, once so much time has passed: events of one matter come close together. */
const REFRESH_MS = 120;
/** Files of customers are fetched from the network within seconds; no event says when. */
const MEDIA_MS = 2_000;
const READS_AT_ONCE = 6;

export class Reader {
  readonly #store: LiveStore;
  readonly #source: LiveSource;
  readonly #lists = new Map<string, LiveList>();
  readonly #busy = new Set<string>();
  #refresh: ReturnType<typeof setTimeout> | null = null;
  /** Nothing is read before the stream has begun: what happens between the two would be missed. */
  #connected: PromiseWithResolvers<void> = withResolvers();

  constructor(store: LiveStore, source: LiveSource) {
    this.#store = store;
    this.#source = source;
    store.afterChange(() => this.#later());
    store.end.addEventListener('abort', () => this.#refresh !== null && clearTimeout(this.#refresh));
  }

  /** The stream has begun, or goes on. */
  connected(): void {
    this.#connected.resolve();
    for (const list of this.#lists.values()) {
      if (!this.#store.client.state.lists.has(list.name)) void this.#readList(list, null);
    }
    this.#later();
  }

  /** The stream starts over; nothing is read until it is connected again. */
  disconnected(): void {
    this.#connected = withResolvers();
  }

  watch(list: LiveList): void {
    this.#lists.set(list.name, list);
    if (!this.#store.client.state.lists.has(list.name)) void this.#readList(list, null);
  }

  more(name: string): void {
    const list = this.#lists.get(name);
    const held = this.#store.client.state.lists.get(name);
    if (list && (held === undefined || held.cursor !== null)) void this.#readList(list, held?.cursor ?? null);
  }

  reread(name: string): void {
    const list = this.#lists.get(name);
    if (list && this.#store.client.state.lists.has(name)) void this.#readList(list, null);
  }

  open(conversationId: string): void {
    if (this.#store.client.state.threads.get(conversationId)?.isLoaded) return;
    this.#store.changeState((held) => openThread(held, conversationId));
    // Somebody waits for it: it does not wait for what else may become stale.
    void this.#readStale();
  }

  async older(conversationId: string): Promise<void> {
    const cursor = this.#store.client.state.threads.get(conversationId)?.older ?? null;
    if (cursor === null) return;
    await this.#once(`older ${conversationId}`, async (startedAt) => {
      const { items, cursor: next } = await this.#source.thread(conversationId, cursor);
      const page = { startedAt, conversationId, items, cursor: next, isOlder: true };
      this.#store.changeState((state) => mergeThread(state, page));
    });
  }

  async #readList(list: LiveList, cursor: string | null): Promise<void> {
    await this.#connected.promise;
    await this.#once(`list ${list.name}`, async (startedAt) => {
      try {
        const { items, cursor: next, isFromStart = false } = await this.#source.list(list, cursor);
        const page = {
          startedAt: isFromStart ? 0 : startedAt,
          list: list.name,
          sort: list.sort,
          conversations: items,
          cursor: next,
        };
        this.#fail(list.name, false);
        this.#store.changeState((state) => mergeList(state, page));
      } catch (error) {
        this.#fail(list.name, true);
        if (error instanceof SignedOut) throw error;
      }
    });
  }

  #fail(name: string, hasFailed: boolean): void {
    const failed = new Set(this.#store.snapshot.failed);
    if (hasFailed) failed.add(name);
    else failed.delete(name);
    this.#store.set({ failed });
  }

  #later(): void {
    if (this.#isIdle()) return;
    this.#refresh ??= setTimeout(() => {
      this.#refresh = null;
      void this.#readStale();
    }, REFRESH_MS);
  }

  /** Nothing is stale, or nothing can be read. */
  #isIdle(): boolean {
    const { conversations, threads } = this.#store.client.state.stale;
    const isNothing = conversations.size + threads.size === 0;
    return isNothing || this.#store.snapshot.line === 'offline' || this.#store.end.aborted;
  }

  async #readStale(): Promise<void> {
    await this.#connected.promise;
    if (this.#isIdle()) return;
    const { conversations, threads } = this.#store.client.state.stale;
    const reads = [
      ...[...threads].map((id) => () => this.#readThread(id)),
      ...[...conversations].map((id) => () => this.#readConversation(id)),
    ];
    await Promise.all(reads.slice(0, READS_AT_ONCE).map((read) => read()));
    this.#later();
  }

  #readThread(conversationId: string): Promise<void> {
    return this.#once(`thread ${conversationId}`, async (startedAt) => {
      const { items, cursor } = await this.#source.thread(conversationId, null);
      this.#store.changeState((state) =>
        mergeThread(state, { startedAt, conversationId, items, cursor, isOlder: false }),
      );
      const waits = items.some((one) => isInbound(one) && one.media?.status === 'pending');
      if (!waits) return;
      setTimeout(() => this.#store.changeState((state) => markStale(state, 'threads', conversationId)), MEDIA_MS);
    });
  }

  #readConversation(id: string): Promise<void> {
    return this.#once(`conversation ${id}`, async (startedAt) => {
      const conversations = new Map<string, Conversation | null>([[id, await this.#source.conversation(id)]]);
      this.#store.changeState((state) => mergeConversations(state, { startedAt, conversations }));
    });
  }

  /** One that fails is made again with the next refresh. */
  async #once(what: string, read: (startedAt: number) => Promise<void>): Promise<void> {
    if (this.#busy.has(what)) return;
    this.#busy.add(what);
    try {
      await read(this.#store.client.state.head);
    } catch (error) {
      if (error instanceof SignedOut) this.#store.set({ line: 'signed_out' });
      else await this.#store.pause(retryMs(1));
    } finally {
      this.#busy.delete(what);
    }
  }
}
