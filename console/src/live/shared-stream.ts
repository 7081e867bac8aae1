/**
 * One stream for all tabs of a browser. One tab leads: it has the lock and the stream, and passes on what comes. When it
 * is gone, or does not answer, the next one goes on where it is itself; the others are given what they have missed.
 */
import { Queue } from './queue.ts';
import { SignedOut, StreamExpired, type StreamFrame } from './source.ts';
import { StreamHistory } from './stream-history.ts';
import { type OpenStream, StreamLeader } from './stream-leader.ts';
import type { EndReason, TabMessage } from './stream-messages.ts';
import type { TabChannel, TabLocks } from './tabs.ts';
import { randomKey } from './waits.ts';

const HISTORY = 1_000;
const LOCK = 'stream';
/** A leader that the browser has put to sleep is found out within the sum of the two. */
export const PING_MS = 10_000;
export const ANSWER_MS = 3_000;

interface Deps {
  readonly channel: TabChannel<TabMessage>;
  readonly locks: TabLocks;
  readonly open: OpenStream;
}

export class SharedStream {
  readonly #deps: Deps;
  readonly #tab = randomKey();
  readonly #history = new StreamHistory(HISTORY);
  #queue = new Queue<StreamFrame>();
  #leader: StreamLeader | null = null;
  /** The newest leader that this tab has heard of, and the number of its last frame; null: not joined. */
  #term = 0;
  #number: number | null = null;
  #heardMs = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The feed from now on, or after a position, whichever tab reads it. @throws StreamExpired, SignedOut */
  async *open(after: string | null, signal: AbortSignal): AsyncGenerator<StreamFrame> {
    const end = new AbortController();
    const stop = () => end.abort();
    signal.addEventListener('abort', stop);
    this.#queue = new Queue<StreamFrame>();
    this.#number = null;
    this.#history.clear();
    if (after !== null) this.#history.add({ position: after, event: null, isCut: false });
    const stopListening = this.#deps.channel.listen((message) => this.#hear(message));
    const timer = setInterval(() => this.#ping(end.signal), PING_MS);
    this.#heardMs = Date.now();
    this.#join();
    void this.#lead(end.signal, false);
    end.signal.addEventListener('abort', () => this.#queue.end(null));
    try {
      yield* this.#queue;
    } finally {
      signal.removeEventListener('abort', stop);
      clearInterval(timer);
      stopListening();
      stop();
    }
  }

  /** Waits for its turn to lead, and leads. */
  async #lead(signal: AbortSignal, isStolen: boolean): Promise<void> {
    const lock = await this.#deps.locks.acquire(LOCK, signal, isStolen);
    if (lock === null) return;
    if (this.#leader !== null || signal.aborted) return lock.release();
    const { channel, open } = this.#deps;
    this.#term = Math.max(this.#term + 1, Date.now());
    const deliver = (frame: StreamFrame) => this.#queue.push(frame);
    const leader = new StreamLeader({ channel, history: this.#history, open, deliver }, this.#term);
    this.#leader = leader;
    try {
      await leader.run(either(signal, lock.lost));
    } catch (error) {
      this.#queue.end(error);
    }
    this.#leader = null;
    this.#term = leader.term;
    lock.release();
    if (!lock.lost.aborted || signal.aborted) return;
    this.#join();
    void this.#lead(signal, false);
  }

  #hear(message: TabMessage): void {
    if (this.#leader !== null) this.#leader.hear(message);
    else if (message.kind !== 'join' && message.kind !== 'ping' && message.term >= this.#term) this.#obey(message);
  }

  /** What the leader says. */
  #obey(message: Exclude<TabMessage, { kind: 'join' | 'ping' }>): void {
    const isNew = message.term > this.#term;
    this.#term = message.term;
    this.#heardMs = Date.now();
    if (isNew) this.#number = null;
    if (message.kind === 'ended') this.#queue.end(errorOf(message.reason));
    else if (message.kind === 'welcome' && message.tab === this.#tab) this.#follow(message);
    else if (message.kind === 'leader' || isNew) this.#join();
    else if (message.kind === 'frame') this.#pass(message);
  }

  #pass({ number, frame }: Extract<TabMessage, { kind: 'frame' }>): void {
    if (this.#number === null || number <= this.#number) return;
    if (number === this.#number + 1) {
      this.#number = number;
      this.#take(frame);
    } else this.#join();
  }

  #follow({ number, frames }: Extract<TabMessage, { kind: 'welcome' }>): void {
    if (this.#number !== null && number <= this.#number) return;
    this.#number = number;
    if (frames === null) this.#queue.end(errorOf('expired'));
    for (const frame of frames ?? []) this.#take(frame);
  }

  #take(frame: StreamFrame): void {
    this.#history.add(frame);
    this.#queue.push(frame);
  }

  #join(): void {
    this.#number = null;
    this.#deps.channel.post({ kind: 'join', tab: this.#tab, term: this.#term, after: this.#history.position });
  }

  /** Asks whether the leader is awake; one that does not answer is replaced. */
  #ping(signal: AbortSignal): void {
    if (this.#leader !== null) return;
    const askedMs = Date.now();
    if (this.#number === null) this.#join();
    this.#deps.channel.post({ kind: 'ping', term: this.#term });
    setTimeout(() => {
      const isSilent = this.#heardMs < askedMs && this.#leader === null && !signal.aborted;
      if (isSilent) void this.#lead(signal, true);
    }, ANSWER_MS);
  }
}

/** Aborted with the first of the two; `AbortSignal.any` is missing in browsers that we support. */
function either(left: AbortSignal, right: AbortSignal): AbortSignal {
  const end = new AbortController();
  const stop = () => end.abort();
  for (const signal of [left, right]) signal.addEventListener('abort', stop);
  if (left.aborted || right.aborted) stop();
  return end.signal;
}

const errorOf = (reason: EndReason): Error =>
  reason === 'expired'
    ? new StreamExpired('What was missed is not known any more.')
    : new SignedOut('The session has ended.');
