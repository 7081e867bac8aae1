import type { List, ListInboundMessagesQuery, ListOutboundMessagesQuery, Postrider } from '@postrider/sdk';
import type { Command } from 'commander';
import { type ApiOptions, asJson, type CallApi, connectApi, withApiOptions } from '#cli/api-client';
import type { CliContext } from '#cli/context';
import { cellText, outputOption } from '#cli/output';
import { repeatUntilStopped } from '#cli/repeat-until-stopped';
import type { JsonObject } from '#core/json';
import { stateOf } from './messages.ts';

const EXAMPLES = `
Each line: time, direction, customer, state when first seen, text. Press Ctrl-C to stop.

Examples:
  postrider tail
  postrider tail -o json | jq .body`;

const ASK_EVERY_MS = 500;
/** Times are given before the commit: a message may appear this much later than its time says. */
const LOOK_BACK_MS = 10_000;
const PAGE = 1000;
/** Pages of one poll; beyond it the reader is told that lines are missing. */
const MAX_PAGES = 20;

interface TailOptions extends ApiOptions {
  readonly output: string;
}

export function addTail(program: Command, ctx: CliContext): void {
  withApiOptions(program.command('tail').description('follow messages as they are sent and received'))
    .addOption(outputOption())
    .addHelpText('after', EXAMPLES)
    .action((options: TailOptions) => tail(ctx, options));
}

/** Prints messages from now on until a signal ends it. A service that is away for a while is waited for. */
export async function tail(ctx: CliContext, options: TailOptions): Promise<void> {
  const follower = new Follower(ctx, await connectApi(ctx, options), options.output === 'json');
  await repeatUntilStopped(ctx, {
    begin: () => follower.begin(),
    step: () => follower.poll(),
    everyMs: ASK_EVERY_MS,
  });
}

/**
 * What was shown already, and since when to ask. Times are the service's own, taken from its messages: the clock here
 * may go differently.
 */
class Follower {
  readonly #ctx: CliContext;
  readonly #call: CallApi;
  readonly #printsJson: boolean;
  /** Message id → its time, for those young enough to be listed again. */
  readonly #shown = new Map<string, number>();
  /** The newest message when following began; null: there was none. */
  #startMs: number | null = null;

  constructor(ctx: CliContext, call: CallApi, printsJson: boolean) {
    this.#ctx = ctx;
    this.#call = call;
    this.#printsJson = printsJson;
  }

  /** Takes note of what is there already, without showing it. */
  async begin(): Promise<void> {
    for (const inbound of [true, false]) {
      const { data } = await this.#call((api) => listOf(api, inbound, { limit: 1 }));
      for (const newest of data) this.#remember(asJson(newest));
    }
    this.#startMs = this.#shown.size === 0 ? null : Math.max(...this.#shown.values());
  }

  /** One look at both lists; prints what was not shown before, oldest first. */
  async poll(): Promise<void> {
    const sinceMs = this.#sinceMs();
    const lists = [await this.#read(true, sinceMs), await this.#read(false, sinceMs)];
    const fresh = lists.flat().filter((message) => !this.#shown.has(String(message.id)));
    fresh.sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
    for (const message of fresh) this.#show(message);
    const keepMs = (this.#sinceMs() ?? 0) - LOOK_BACK_MS;
    for (const [id, ms] of this.#shown) {
      if (ms < keepMs) this.#shown.delete(id);
    }
  }

  #sinceMs(): number | null {
    if (this.#shown.size === 0) return this.#startMs;
    const overlapMs = Math.max(...this.#shown.values()) - LOOK_BACK_MS;
    return this.#startMs === null ? overlapMs : Math.max(this.#startMs, overlapMs);
  }

  async #read(inbound: boolean, sinceMs: number | null): Promise<readonly JsonObject[]> {
    const since = sinceMs === null ? {} : { created_after: new Date(sinceMs).toISOString() };
    return this.#call(async (api) => {
      const found: JsonObject[] = [];
      let pages = 0;
      for await (const { data } of listOf(api, inbound, { limit: PAGE, ...since }).pages()) {
        if (pages === MAX_PAGES) {
          this.#ctx.stderr.write('Too many messages to follow; some lines are missing.\n');
          break;
        }
        found.push(...data.map(asJson));
        pages += 1;
      }
      return found;
    });
  }

  #remember(message: JsonObject): void {
    this.#shown.set(String(message.id), Date.parse(String(message.created_at)));
  }

  #show(message: JsonObject): void {
    this.#remember(message);
    this.#ctx.stdout.write(
      `${this.#printsJson ? JSON.stringify(message) : tailLine(message, this.#ctx.stdout.columns)}\n`,
    );
  }
}

/** The API's two lists: what customers wrote and what was sent. */
function listOf(
  { messages }: Postrider,
  inbound: boolean,
  query: ListInboundMessagesQuery & ListOutboundMessagesQuery,
): List<{ readonly data: readonly object[] }> {
  return inbound ? messages.listInbound(query) : messages.listOutbound(query);
}

/** `09:05:00 ← 447700900123     text       Thank you!` */
export function tailLine(message: JsonObject, columns: number | null): string {
  const inbound = message.direction === 'inbound';
  const party = inbound ? (message.from ?? message.from_user_id) : message.to;
  const what = inbound ? message.type : stateOf(message);
  const time = String(message.created_at).slice(11, 19);
  const head = `${time} ${inbound ? '←' : '→'} ${cellText(party).padEnd(15)}  ${cellText(what).padEnd(9)}  `;
  const text = [...(head + cellText(message.body))];
  return columns !== null && text.length > columns
    ? `${text.slice(0, columns - 1).join('')}…`
    : text.join('').trimEnd();
}
