import { isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { type ApiClient, type ApiOptions, makeApiClient } from './api-client.ts';
import { type CliContext, pause } from './context.ts';
import { CliError, EXIT } from './exit.ts';
import { type Block, readBlocks } from './server-sent-events.ts';

/** How long a service that is away is left alone. */
const RETRY_MS = 1_000;

export interface FollowOptions extends ApiOptions {
  readonly after?: string;
  readonly types?: string;
}

/**
 * @param text the event as it came, byte for byte
 * @param stopped a signal asks the process to leave: who then throws has not taken the event
 */
export type TakeEvent = (event: JsonObject, text: string, stopped: AbortSignal) => Promise<void> | void;

/**
 * Hands out events one after the other until a signal ends it, and says then how to go on. After a break it goes on
 * behind the last one: nothing is missed or told twice.
 */
export async function followEvents(ctx: CliContext, options: FollowOptions, take: TakeEvent): Promise<void> {
  const stopped = new AbortController();
  const forget = ctx.onStop(() => stopped.abort());
  const follower = new Follower({ ctx, options, take, stopped: stopped.signal });
  const ended = new Promise<void>((resolve) =>
    stopped.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  while (!stopped.signal.aborted) {
    await follower.follow();
    await Promise.race([pause(ctx, RETRY_MS), ended]);
  }
  forget();
  if (follower.lastId !== null) ctx.stderr.write(`Go on with --after ${follower.lastId}\n`);
}

interface FollowerDeps {
  readonly ctx: CliContext;
  readonly options: FollowOptions;
  readonly take: TakeEvent;
  readonly stopped: AbortSignal;
}

/** Where the reader stands, over all its connections. */
class Follower {
  lastId: string | null;
  readonly #parts: FollowerDeps;
  readonly #client: ApiClient;
  readonly #path: string;
  #away = false;

  constructor(parts: FollowerDeps) {
    const { ctx, options } = parts;
    this.#parts = parts;
    this.#client = makeApiClient(ctx, options);
    this.lastId = options.after ?? null;
    const query = options.types === undefined ? '' : `?${new URLSearchParams({ types: options.types })}`;
    this.#path = `/v1/events/stream${query}`;
  }

  /** Reads one connection to its end. A service that is out of reach is reported once. */
  async follow(): Promise<void> {
    const { ctx, stopped } = this.#parts;
    try {
      const resume: Record<string, string> = this.lastId === null ? {} : { 'last-event-id': this.lastId };
      const body = await this.#client.open(this.#path, resume, stopped);
      this.#away = false;
      for await (const block of readBlocks(body)) await this.#take(block);
    } catch (error) {
      if (stopped.aborted) return;
      // A connection that breaks off is one that ends.
      if (!(error instanceof CliError)) return;
      if (error.exitCode !== EXIT.unreachable) throw error;
      if (!this.#away) ctx.stderr.write(`${error.message} Waiting for it.\n`);
      this.#away = true;
    }
  }

  async #take({ id, data }: Block): Promise<void> {
    if (data !== null) {
      const event = JSON.parse(data) as JsonValue;
      if (isJsonObject(event)) await this.#parts.take(event, data, this.#parts.stopped);
    }
    this.lastId = id ?? this.lastId;
  }
}
