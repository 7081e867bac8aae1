import type { Connection } from './connection.ts';
import { MessageFailedError, TimeoutError } from './errors.ts';
import type { MessagesResource } from './generated/resources.ts';
import type { Event, OutboundMessage } from './generated/types.ts';
import { EventStream } from './stream.ts';
import { deadline, orAborted } from './timing.ts';

/** What to wait for, and for how long. */
export interface WaitOptions {
  /** What the network must have reported; what comes later counts too. Default: delivered. */
  readonly until?: 'sent' | 'delivered' | 'read' | undefined;
  /** Default: 60,000. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const RANKS: Readonly<Record<string, number>> = { sent: 1, delivered: 2, read: 3 };
const TYPES = ['message.sent', 'message.delivered', 'message.read', 'message.failed'] as const;

type Listener = (outcome: { readonly event: Event } | { readonly error: unknown }) => void;

interface OpenStream {
  readonly opened: Promise<void>;
  readonly controller: AbortController;
}

/** Waits for messages of one client: all of them on one stream, which is open while somebody waits. */
export class MessageWaits {
  readonly #connection: Connection;
  readonly #messages: Pick<MessagesResource, 'get'>;
  readonly #listeners = new Set<Listener>();
  #stream: OpenStream | null = null;

  constructor(connection: Connection, messages: Pick<MessagesResource, 'get'>) {
    this.#connection = connection;
    this.#messages = messages;
  }

  /** @throws {MessageFailedError | TimeoutError} */
  async wait(id: string, options: WaitOptions): Promise<OutboundMessage> {
    const { until = 'delivered', timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    const limit = deadline(timeoutMs, options.signal);
    let reached: () => void = () => undefined;
    let failed: (error: unknown) => void = () => undefined;
    const told = new Promise<void>((resolve, reject) => {
      reached = resolve;
      failed = reject;
    });
    told.catch(() => undefined);
    const listener: Listener = (outcome) => {
      if ('error' in outcome) failed(outcome.error);
      else if (concerns(outcome.event, id, until)) reached();
    };
    const opened = this.#listen(listener);
    try {
      await orAborted(Promise.race([opened, told]), limit.signal);
      // Only now, because what happened before the stream began is not on it.
      const now = await this.#look(id, limit.signal);
      if (isReached(now, until)) return now;
      await orAborted(told, limit.signal);
      const then = await this.#look(id, limit.signal);
      return then;
    } catch (error) {
      if (!limit.isOver()) throw error;
      const what = `The message ${id} was not ${until} within ${timeoutMs} ms.`;
      throw new TimeoutError(what, { code: 'timed_out', cause: error });
    } finally {
      limit.clear();
      this.#leave(listener);
    }
  }

  /** @throws {MessageFailedError} */
  async #look(id: string, signal: AbortSignal): Promise<OutboundMessage> {
    const message = await this.#messages.get(id, { signal });
    if (message.direction !== 'outbound')
      throw new TypeError(`The message ${id} came from a customer, and is not sent.`);
    if (message.status !== 'failed' && message.delivery.state !== 'failed') return message;
    const { code, message: reason } = message.delivery.error ?? { code: 'message_failed', message: 'It failed.' };
    throw new MessageFailedError(`The message ${id} failed (${code}): ${reason}`, {
      code: 'message_failed',
      cause: message,
    });
  }

  /** @returns when the stream is there */
  #listen(listener: Listener): Promise<void> {
    this.#listeners.add(listener);
    const stream = this.#stream ?? this.#open();
    this.#stream = stream;
    return stream.opened;
  }

  #leave(listener: Listener): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    this.#stream?.controller.abort();
    this.#stream = null;
  }

  #open(): OpenStream {
    const controller = new AbortController();
    const opened = new Promise<void>((resolve) => {
      const stream = new EventStream(this.#connection, {
        types: TYPES,
        signal: controller.signal,
        onCursor: () => resolve(),
      });
      void this.#run(stream, controller);
    });
    return { opened, controller };
  }

  async #run(stream: EventStream, controller: AbortController): Promise<void> {
    try {
      for await (const event of stream) this.#tell({ event });
    } catch (error) {
      // Whoever waits next tries anew.
      if (this.#stream?.controller === controller) this.#stream = null;
      this.#tell({ error });
    }
  }

  #tell(outcome: Parameters<Listener>[0]): void {
    for (const listener of [...this.#listeners]) listener(outcome);
  }
}

function concerns(event: Event, id: string, until: string): boolean {
  if (!TYPES.some((type) => type === event.type) || (event.data as { id?: string }).id !== id) return false;
  return event.type === 'message.failed' || rankOf(event.type.slice('message.'.length)) >= rankOf(until);
}

function isReached({ status, delivery }: OutboundMessage, until: string): boolean {
  const state = status === 'sent' && rankOf(delivery.state) === 0 ? 'sent' : delivery.state;
  return rankOf(state) >= rankOf(until);
}

function rankOf(state: string): number {
  return RANKS[state] ?? 0;
}
