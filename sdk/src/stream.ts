import { type Connection, lowerCased } from './connection.ts';
import { ConnectionError, PostriderError } from './errors.ts';
import type { Event, EventType, Open } from './generated/types.ts';
import { request } from './request.ts';
import { type Frame, readFrames } from './server-sent-events.ts';
import { deadline, delay } from './timing.ts';

/** Something that is passed on to whoever listens now, and is neither numbered nor stored. */
export interface LiveSignal {
  readonly type: string;
  readonly data: unknown;
}

/** Where a stream begins, and what it reports beside the events. */
export interface StreamOptions {
  /** The cursor that an earlier stream handed out. Default: what happens from now on. */
  readonly after?: string | null | undefined;
  /** Only these types. Default: all but `audit.recorded`. */
  readonly types?: readonly Open<EventType>[] | undefined;
  /** Ends the stream without an error. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Is given the place after each event as soon as that has been worked on, which is when the next one is asked for.
   * Store it: a stream that begins there misses nothing.
   */
  readonly onCursor?: ((cursor: string) => void | Promise<void>) | undefined;
  /**
   * Is given what comes without a number: what agents do in conversations (`signal`), and new notifications. A new connection
   * begins with all signals that hold; forget the others when `onState` says that it is being made.
   */
  readonly onSignal?: ((signal: LiveSignal) => void) | undefined;
  /**
   * Is told when the connection is there, and whenever it is lost or could not be made and will be tried again: with the
   * reason, or without one when the service ended it.
   */
  readonly onState?: ((state: 'open' | 'reconnecting', reason?: PostriderError) => void) | undefined;
  readonly agentId?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How long silence may last; the service says something every 15 seconds. Default: 45,000. */
  readonly silenceMs?: number | undefined;
}

const PATH = '/v1/events/stream';
const DEFAULT_SILENCE_MS = 45_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** Events as they happen, without a gap: walk through it with `for await`. */
export class EventStream implements AsyncIterable<Event> {
  readonly #connection: Connection;
  readonly #options: StreamOptions;
  /** The last place that has arrived: a new connection continues behind it. */
  #place: string | null = null;
  #cursor: string | null;

  constructor(connection: Connection, options: StreamOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#cursor = options.after ?? null;
  }

  /** The place behind everything that has been worked on; null before the stream has begun. */
  get cursor(): string | null {
    return this.#cursor;
  }

  /** Walks through the events. A second walk begins with the event at which the first one was left. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    for await (const { event } of this.withText()) yield event;
  }

  /** The same walk, with each event also as the text that came: for what signs it, or stores it as it is. */
  async *withText(): AsyncGenerator<{ readonly event: Event; readonly text: string }, void, undefined> {
    this.#place = this.#cursor;
    for await (const { id, event, data } of this.#frames()) {
      if (id !== null) this.#place = id;
      if (data !== null && id === null) this.#options.onSignal?.({ type: event, data: JSON.parse(data) });
      if (data !== null && id !== null) yield { event: JSON.parse(data) as Event, text: data };
      if (id !== null) await this.#advance(id);
    }
  }

  async #advance(place: string): Promise<void> {
    if (place === this.#cursor) return;
    this.#cursor = place;
    await this.#options.onCursor?.(place);
  }

  /** What arrives, over as many connections as that takes. The first one is tried like any call. */
  async *#frames(): AsyncGenerator<Frame, void, undefined> {
    const { signal, onState } = this.#options;
    let wasOpen = false;
    for (let failures = 0; !signal?.aborted; failures++) {
      let retryAfterMs = 0;
      let isOpen = false;
      let reason: PostriderError | undefined;
      try {
        for await (const frame of this.#connect(wasOpen ? 0 : undefined)) {
          if (!isOpen) onState?.('open');
          isOpen = wasOpen = true;
          failures = 0;
          yield frame;
        }
      } catch (error) {
        if (signal?.aborted) return;
        if (!wasOpen || !isPassing(error)) throw error;
        retryAfterMs = error.retryAfterMs ?? 0;
        reason = error;
      }
      if (signal?.aborted) return;
      if (wasOpen) onState?.('reconnecting', reason);
      const waitMs = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
      // Spread, so that not all come back together to a service that was restarted.
      await delay(Math.max(retryAfterMs, (waitMs * (1 + Math.random())) / 2), signal).catch(() => undefined);
    }
  }

  /** What arrives over one connection. */
  async *#connect(maxRetries: number | undefined): AsyncGenerator<Frame, void, undefined> {
    const { signal, types, agentId, headers, onSignal, silenceMs = DEFAULT_SILENCE_MS } = this.#options;
    const signals = onSignal === undefined ? undefined : true;
    const limit = deadline(silenceMs, signal);
    // While it connects, each try has its own limit.
    limit.pause();
    const place = this.#place === null ? {} : { 'last-event-id': this.#place };
    try {
      const { data } = await request(
        this.#connection,
        { method: 'GET', path: PATH, query: { types, signals }, isRaw: true },
        {
          signal: limit.signal,
          agentId,
          maxRetries: maxRetries ?? this.#connection.maxRetries,
          headers: { accept: 'text/event-stream', ...place, ...lowerCased(headers) },
        },
      );
      const { body } = data as Response;
      if (body === null) return;
      limit.restart();
      for await (const frame of readFrames(body)) {
        limit.pause();
        yield frame;
        limit.restart();
      }
    } catch (error) {
      if (error instanceof PostriderError) throw error;
      throw new ConnectionError('The stream of events broke.', { code: 'connection_failed', cause: error });
    } finally {
      limit.clear();
    }
  }
}

/** Whether another try may succeed. */
function isPassing(error: unknown): error is PostriderError {
  if (!(error instanceof PostriderError)) return false;
  const { status } = error;
  return status === null || status === 408 || status === 429 || status >= 500;
}
