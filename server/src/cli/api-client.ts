import type { Command } from 'commander';
import { ownUrl, readDemoKey } from '#cli/commands/demo';
import { isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { type CliContext, configOf } from './context.ts';
import { CliError, EXIT } from './exit.ts';
import { runningServer } from './operator-call.ts';

/** A call of the API is short; `send --wait` asks again and again instead of holding one open. */
const ANSWER_WITHIN_MS = 30_000;

export interface ApiOptions {
  readonly url?: string;
  readonly key?: string;
}

/** The public API with a tenant's key: what `send`, `messages` and `tail` use. */
export interface ApiClient {
  get(path: string): Promise<JsonObject>;
  /** An answer that goes on until `signal` ends it. */
  open(
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>>;
  post(path: string, body: JsonObject, headers?: Readonly<Record<string, string>>): Promise<JsonObject>;
}

/** Adds `--url` and `--key`. */
export function withApiOptions(command: Command): Command {
  return command
    .option(
      '--url <address>',
      'base URL of the service (MESSAGING_BASE_URL); default: the one that runs in the data folder',
    )
    .option('--key <api-key>', "API key (MESSAGING_API_KEY); default: the demo tenant's, if there is one");
}

/**
 * The API of the address that was named, else of the service that runs in the data folder, else of PORT on this machine.
 * @throws CliError (usage) without any key
 */
export async function makeApiClient(ctx: CliContext, options: ApiOptions): Promise<ApiClient> {
  const config = configOf(ctx);
  const { MESSAGING_BASE_URL: givenUrl, MESSAGING_API_KEY: givenKey } = ctx.env;
  const named = options.url ?? (givenUrl || null);
  const base = (named ?? (await runningServer(config))?.url ?? ownUrl(config)).replace(/\/+$/, '');
  if (!/^https?:\/\//.test(base) || !URL.canParse(base))
    throw new CliError(EXIT.usage, `"${base}" is not an address; write http://host:port.`);
  const key = options.key ?? (givenKey || config.bootstrapApiKey || readDemoKey(config));
  if (!key)
    throw new CliError(EXIT.usage, 'No API key: give --key or MESSAGING_API_KEY; "postrider keys create" creates one.');
  const authorization = { authorization: `Bearer ${key}` };
  return {
    get: (path) => call(ctx, base, path, { headers: authorization }),
    open: (path, headers, signal) =>
      openStream(ctx, base + path, { headers: { ...authorization, ...headers }, signal }),
    post: (path, body, headers = {}) => {
      const all = { ...authorization, 'content-type': 'application/json', ...headers };
      return call(ctx, base, path, { method: 'POST', headers: all, body: JSON.stringify(body) });
    },
  };
}

async function call(ctx: CliContext, base: string, path: string, init: RequestInit): Promise<JsonObject> {
  const response = await ask(ctx, base + path, { ...init, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  const body = await readBody(base, response);
  if (response.ok) return body;
  throw new CliError(exitCodeOf(response.status), sentenceOf(body, response.status));
}

async function openStream(ctx: CliContext, url: string, init: RequestInit): Promise<ReadableStream<Uint8Array>> {
  const response = await ask(ctx, url, init);
  if (response.ok && response.body !== null) return response.body;
  const body = await readBody(new URL(url).origin, response);
  throw new CliError(exitCodeOf(response.status), sentenceOf(body, response.status));
}

/** @throws CliError (unreachable) without an answer */
function ask(ctx: CliContext, url: string, init: RequestInit): Promise<Response> {
  return ctx.fetch(url, { ...init, redirect: 'error' }).catch((error: unknown) => {
    const sentence = `No answer from ${new URL(url).origin} (${reasonOf(error)}): is the service running there?`;
    throw new CliError(EXIT.unreachable, sentence, { cause: error });
  });
}

async function readBody(base: string, response: Response): Promise<JsonObject> {
  try {
    const body = JSON.parse(await response.text()) as JsonValue;
    if (isJsonObject(body)) return body;
  } catch {
    // Falls through: whatever it was, it is no answer of ours.
  }
  throw new CliError(EXIT.failure, `What answers at ${base} is not this service (status ${response.status}, no JSON).`);
}

function exitCodeOf(status: number) {
  if (status === 400) return EXIT.usage;
  if (status === 502 || status === 503 || status === 504) return EXIT.unreachable;
  return status < 500 ? EXIT.refused : EXIT.failure;
}

function sentenceOf(body: JsonObject, status: number): string {
  return typeof body.error === 'string' ? body.error : `The service answered with status ${status}.`;
}

/** Node hides the reason of a failed fetch in its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const { code, message } = cause as { code?: string; message?: string };
  return code ?? message ?? 'unknown reason';
}
