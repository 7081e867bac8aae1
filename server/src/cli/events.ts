import type { Command } from 'commander';
import { isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { type ApiClient, type ApiOptions, makeApiClient, withApiOptions } from './api-client.ts';
import { type CliContext, pause } from './context.ts';
import { CliError, EXIT } from './exit.ts';
import { cellText, outputOption } from './output.ts';
import { type Block, readBlocks } from './server-sent-events.ts';

const EXAMPLES = `
Each line: time, number, type and content of an event. Ctrl-C ends it, and says how to go on.

Examples:
  postrider events tail
  postrider events tail --types message.received,message.failed
  postrider events tail --after 0190a6f2-9a00-7d54-9b3a-000000000007 -o json | jq .data`;

/** How long a service that is away is left alone. */
const RETRY_MS = 1_000;

interface TailOptions extends ApiOptions {
  readonly after?: string;
  readonly types?: string;
  readonly output: string;
}

export function addEvents(program: Command, ctx: CliContext): void {
  const events = program.command('events').description('follow what happens').addHelpText('after', EXAMPLES);
  withApiOptions(events.command('tail').description('print events as they happen, without gaps'))
    .option('--after <id>', 'begin behind this event; default: with what happens from now on')
    .option('--types <types>', 'only these types, comma separated')
    .addOption(outputOption())
    .action((options: TailOptions) => tailEvents(ctx, options));
}

/** Prints events until a signal ends it. After a break it goes on behind the last one: nothing is missed or told twice. */
export async function tailEvents(ctx: CliContext, options: TailOptions): Promise<void> {
  const stopped = new AbortController();
  const forget = ctx.onStop(() => stopped.abort());
  const follower = new Follower(ctx, options, stopped.signal);
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

/** Where the reader stands, over all its connections. */
class Follower {
  lastId: string | null;
  readonly #ctx: CliContext;
  readonly #client: ApiClient;
  readonly #path: string;
  readonly #asJson: boolean;
  readonly #stopped: AbortSignal;
  #away = false;

  constructor(ctx: CliContext, options: TailOptions, stopped: AbortSignal) {
    this.#ctx = ctx;
    this.#client = makeApiClient(ctx, options);
    this.lastId = options.after ?? null;
    const query = options.types === undefined ? '' : `?${new URLSearchParams({ types: options.types })}`;
    this.#path = `/v1/events/stream${query}`;
    this.#asJson = options.output === 'json';
    this.#stopped = stopped;
  }

  /** Reads one connection to its end. A service that is out of reach is reported once. */
  async follow(): Promise<void> {
    try {
      const resume: Record<string, string> = this.lastId === null ? {} : { 'last-event-id': this.lastId };
      const body = await this.#client.open(this.#path, resume, this.#stopped);
      this.#away = false;
      for await (const block of readBlocks(body)) this.#take(block);
    } catch (error) {
      if (this.#stopped.aborted) return;
      // A connection that breaks off is one that ends.
      if (!(error instanceof CliError)) return;
      if (error.exitCode !== EXIT.unreachable) throw error;
      if (!this.#away) this.#ctx.stderr.write(`${error.message} Waiting for it.\n`);
      this.#away = true;
    }
  }

  #take({ id, data }: Block): void {
    if (data !== null) {
      const event = JSON.parse(data) as JsonValue;
      if (isJsonObject(event)) this.#show(event);
    }
    this.lastId = id ?? this.lastId;
  }

  #show(event: JsonObject): void {
    this.#ctx.stdout.write(`${this.#asJson ? JSON.stringify(event) : eventLine(event, this.#ctx.stdout.columns)}\n`);
  }
}

/** `09:05:00 #7     message.received        {"id":"…"}` */
export function eventLine(event: JsonObject, columns: number | null): string {
  const time = String(event.timestamp).slice(11, 19);
  const head = `${time} #${String(event.sequence).padEnd(7)} ${cellText(event.type).padEnd(24)} `;
  const text = [...(head + cellText(JSON.stringify(event.data)))];
  return columns !== null && text.length > columns ? `${text.slice(0, columns - 1).join('')}…` : text.join('');
}
