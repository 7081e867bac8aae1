/** Keeps a client up to date: follows the stream, and leads what is read and what is sent. */
import { emptyClient, receive } from './client.ts';
import type { Command, Intent } from './commands.ts';
import type { LiveEvent } from './model.ts';
import { Reader } from './reader.ts';
import { openThread } from './reads.ts';
import { Sender } from './sender.ts';
import type { Snapshot } from './snapshot.ts';
import { type LiveList, type LiveSource, type Outbox, SignedOut, StreamExpired } from './source.ts';
import { LiveStore, retryMs } from './store.ts';

/** Events are applied together, at most once a frame. */
const FRAME_MS = 16;

/** Whether the network has handed over everything from before the API. */
function endsPast({ type, data }: LiveEvent): boolean {
  if (type !== 'account.notice') return false;
  const { field, value } = data as { readonly field?: string; readonly value?: { readonly progress?: unknown } | null };
  return field === 'history' && value?.progress === 100;
}

export class LiveSync {
  readonly #eventListeners = new Set<(events: readonly LiveEvent[]) => void>();
  readonly #begunListeners = new Set<() => void>();
  readonly #source: LiveSource;
  readonly #outbox: Outbox;
  readonly #store = new LiveStore();
  readonly #reader: Reader;
  readonly #sender: Sender;
  #received: LiveEvent[] = [];
  #frame: ReturnType<typeof setTimeout> | null = null;

  constructor(source: LiveSource, outbox: Outbox) {
    this.#source = source;
    this.#outbox = outbox;
    this.#reader = new Reader(this.#store, source);
    this.#sender = new Sender(this.#store, source, outbox);
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener);
  readonly snapshot = (): Snapshot => this.#store.snapshot;

  /** It does not start again. */
  get isStopped(): boolean {
    return this.#store.end.aborted;
  }

  /** Calls back for every event, after it was applied: for what is shown elsewhere than in the live store. */
  onEvents(listener: (events: readonly LiveEvent[]) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  /** Calls back when the stream starts over: earlier answers may lack what happened before its first event. */
  onBegun(listener: () => void): () => void {
    this.#begunListeners.add(listener);
    return () => this.#begunListeners.delete(listener);
  }

  /** Runs until `stop`. */
  async start(): Promise<void> {
    const stopAdopting = this.#outbox.onLeft((commands) => this.#sender.adopt(commands));
    this.#store.end.addEventListener('abort', stopAdopting);
    let position: string | null = null;
    for (let failures = 0; !this.#store.end.aborted; failures++) {
      try {
        for await (const frame of this.#source.stream(position, this.#store.end)) {
          failures = 0;
          if (frame.isCut) {
            this.#store.set({ line: 'offline' });
            continue;
          }
          position = frame.position;
          this.#isConnected();
          if (frame.event !== null) this.#take(frame.event);
          // No event names the messages from before the API: they may be in anything that is held.
          if (frame.event !== null && endsPast(frame.event)) throw new StreamExpired('The past was brought in.');
        }
      } catch (error) {
        if (error instanceof SignedOut) return this.#store.set({ line: 'signed_out' });
        if (error instanceof StreamExpired) {
          position = null;
          this.#forget();
          continue;
        }
      }
      if (this.#store.end.aborted) return;
      if (failures > 0) this.#store.set({ line: 'offline' });
      await this.#store.pause(retryMs(failures));
    }
  }

  stop(): void {
    this.#store.stop();
    if (this.#frame !== null) clearTimeout(this.#frame);
  }

  /** Holds a list from now on, and reads its first page. */
  watch(list: LiveList): void {
    this.#reader.watch(list);
  }

  /** Reads the next page of a list, or its first again when that failed. */
  more(name: string): void {
    this.#reader.more(name);
  }

  /** Reads the first page of a list again. For lists whose contents depend on more than conversations. */
  reread(name: string): void {
    this.#reader.reread(name);
  }

  open(conversationId: string): void {
    this.#reader.open(conversationId);
  }

  /** Reads older items of a thread. */
  older(conversationId: string): Promise<void> {
    return this.#reader.older(conversationId);
  }

  /**
   * Does something in a conversation: it is seen now, and sent as soon as there is a line.
   * @param holdMs so long it can be undone before it is sent
   */
  submit(conversationId: string, intent: Intent, holdMs = 0): Command {
    return this.#sender.submit(conversationId, intent, holdMs);
  }

  /** Forgets what was refused. */
  drop(key: string): void {
    this.#sender.drop(key);
  }

  /** Takes back what is still held. @returns false: it is on its way already */
  undo(key: string): boolean {
    return this.#sender.undo(key);
  }

  /** Tries now what waits for a line. */
  hurry(): void {
    this.#sender.hurry();
  }

  /** Sends what is held: the page is going away. */
  leave(): void {
    this.#sender.leave();
  }

  #take(event: LiveEvent): void {
    this.#received.push(event);
    this.#frame ??= setTimeout(() => this.#flush(), FRAME_MS);
  }

  #flush(): void {
    this.#frame = null;
    const events = this.#received;
    this.#received = [];
    const { line, caughtUp } = this.#store.snapshot;
    if (line === 'catching_up') this.#store.set({ caughtUp: caughtUp + events.length });
    this.#store.change((client) => receive(client, events));
    for (const listener of this.#eventListeners) listener(events);
    if (this.#store.snapshot.line === 'catching_up') this.#store.set({ line: 'current' });
  }

  #isConnected(): void {
    const { line } = this.#store.snapshot;
    if (line === 'current' || line === 'catching_up') return;
    this.#store.set(line === 'connecting' ? { line: 'current' } : { line: 'catching_up', caughtUp: 0 });
    this.#frame ??= setTimeout(() => this.#flush(), FRAME_MS);
    this.#reader.connected();
    this.#sender.hurry();
    if (line === 'connecting') for (const listener of this.#begunListeners) listener();
  }

  /** What is held may have gaps that nobody can fill: it is read again, under the commands that wait. */
  #forget(): void {
    const { state } = this.#store.client;
    this.#reader.disconnected();
    this.#received = [];
    this.#store.set({ line: 'connecting' });
    this.#store.change(({ commands }) => ({ ...emptyClient, commands }));
    for (const id of state.threads.keys()) this.#store.changeState((held) => openThread(held, id));
  }
}
