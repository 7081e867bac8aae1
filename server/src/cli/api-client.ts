import type { Postrider, PostriderError } from '@postrider/sdk';
import type { Command } from 'commander';
import { ownUrl, readDemoKey } from '#cli/commands/demo';
import type { JsonObject } from '#core/json';
import { type CliContext, configOf } from './context.ts';
import { CliError, EXIT } from './exit.ts';
import { runningServer } from './operator-call.ts';

/** One try; with those that follow a failure, a person waits for half a minute. */
const TRY_WITHIN_MS = 10_000;

export interface ApiOptions {
  readonly url?: string;
  readonly key?: string;
}

/** Makes calls of the public API with a tenant's key. @throws CliError for whatever the client library throws */
export type CallApi = <Result>(work: (api: Postrider) => Promise<Result>) => Promise<Result>;

/** Adds `--url` and `--key`. */
export function withApiOptions(command: Command): Command {
  return command
    .option(
      '--url <address>',
      'base URL of the service (MESSAGING_BASE_URL); default: the one that runs in the data folder',
    )
    .option('--key <api-key>', "API key (MESSAGING_API_KEY); default: the demo tenant's, if there is one");
}

/** One call of the API, as `connectApi` reaches it: the answer as it came, to be printed. */
export async function callApi(
  ctx: CliContext,
  options: ApiOptions,
  work: (api: Postrider) => Promise<object>,
): Promise<JsonObject> {
  const call = await connectApi(ctx, options);
  return asJson(await call(work));
}

/**
 * The API of the address that was named, else of the service that runs in the data folder, else of PORT on this machine.
 * @throws CliError (usage) without any key
 */
export async function connectApi(ctx: CliContext, options: ApiOptions): Promise<CallApi> {
  const baseUrl = await addressOf(ctx, options);
  const apiKey = keyOf(ctx, options);
  // Most commands do without it, and it takes a while to load.
  const { Postrider, PostriderError } = await import('@postrider/sdk');
  const fetch: typeof globalThis.fetch = (input, init) => ctx.fetch(input, { ...init, redirect: 'error' });
  const api = new Postrider({ apiKey, baseUrl, fetch, timeoutMs: TRY_WITHIN_MS });
  return async (work) => {
    try {
      return await work(api);
    } catch (error) {
      throw error instanceof PostriderError ? cliErrorOf(error, api.baseUrl) : error;
    }
  };
}

/** What the API answered as commands show it, with the fields of newer services. */
export function asJson(answer: object): JsonObject {
  return answer as JsonObject;
}

async function addressOf(ctx: CliContext, options: ApiOptions): Promise<string> {
  const config = configOf(ctx);
  const named = options.url ?? (ctx.env.MESSAGING_BASE_URL || null);
  const address = (named ?? (await runningServer(config))?.url ?? ownUrl(config)).replace(/\/+$/, '');
  if (/^https?:\/\//.test(address) && URL.canParse(address)) return address;
  throw new CliError(EXIT.usage, `"${address}" is not an address; write http://host:port.`);
}

function keyOf(ctx: CliContext, options: ApiOptions): string {
  const config = configOf(ctx);
  const key = options.key ?? (ctx.env.MESSAGING_API_KEY || config.bootstrapApiKey || readDemoKey(config));
  if (key) return key;
  throw new CliError(EXIT.usage, 'No API key: give --key or MESSAGING_API_KEY; "postrider keys create" creates one.');
}

/** What went wrong with a call, in the words and with the exit code of the command line. */
export function cliErrorOf(error: PostriderError, base: string): CliError {
  const cause = { cause: error };
  const { code, status, message } = error;
  if (code === 'unexpected_answer') {
    const sentence = `What answers at ${base} is not this service (status ${status}, no JSON).`;
    return new CliError(EXIT.failure, sentence, cause);
  }
  if (status !== null) return new CliError(exitCodeOf(status), message, cause);
  const reason = code === 'timed_out' ? 'it took too long' : reasonOf(error.cause);
  const sentence = `No answer from ${new URL(base).origin} (${reason}): is the service running there?`;
  return new CliError(EXIT.unreachable, sentence, cause);
}

function exitCodeOf(status: number) {
  if (status === 400) return EXIT.usage;
  if (status === 502 || status === 503 || status === 504) return EXIT.unreachable;
  return status < 500 ? EXIT.refused : EXIT.failure;
}

/** Node hides the reason of a failed fetch in its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const { code, message } = (cause ?? {}) as { code?: string; message?: string };
  return code ?? message ?? 'unknown reason';
}
