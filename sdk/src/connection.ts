import { VERSION } from './version.ts';

/** How a client reaches the service. */
export interface ClientOptions {
  /** An API key. Default: `POSTRIDER_API_KEY`. */
  readonly apiKey?: string | undefined;
  /** Where the service is. Default: `POSTRIDER_BASE_URL`; in a browser, where the page came from. */
  readonly baseUrl?: string | undefined;
  /** Makes the requests. Default: the `fetch` of the platform. */
  readonly fetch?: typeof fetch | undefined;
  /** For pages of the service itself: the cookie of the signed-in person instead of a key. */
  readonly session?: boolean | undefined;
  /** How long one try of a call may take. Default: 60,000. */
  readonly timeoutMs?: number | undefined;
  /** How often a call is repeated when that can help. Default: 2. */
  readonly maxRetries?: number | undefined;
  /** ID of the agent for whom all calls are made. */
  readonly agentId?: string | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Is shown every request and how it ended, each try by itself. */
  readonly observe?: ((exchange: Exchange) => void) | undefined;
}

/** One request and its answer. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  /** As it was sent; undefined without a body. */
  readonly body: unknown;
  /** Null: no answer came. */
  readonly status: number | null;
  readonly requestId: string | null;
  readonly durationMs: number;
}

/** What all calls of a client share. */
export interface Connection {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly headers: Readonly<Record<string, string>>;
  /** Only what differs from the default: some platforms refuse the mere name of a setting. */
  readonly init: Pick<RequestInit, 'credentials'>;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly observe: (exchange: Exchange) => void;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_RETRIES = 2;
/** Where `npm start` listens. */
const DEFAULT_BASE = 'http://127.0.0.1:8080';

/** @throws {TypeError} when the options contradict each other, or something is missing */
export function connect(options: ClientOptions): Connection {
  const { session = false, agentId } = options;
  const apiKey = session ? options.apiKey : (options.apiKey ?? environment('POSTRIDER_API_KEY'));
  if (session && apiKey) throw new TypeError('Give either an apiKey or session: true, not both.');
  if (!session && !apiKey) {
    throw new TypeError(
      'An API key is missing: give apiKey, or set POSTRIDER_API_KEY. Pages of the service give session: true.',
    );
  }
  return {
    baseUrl: baseOf(options.baseUrl ?? (session ? undefined : environment('POSTRIDER_BASE_URL')) ?? pageOrigin()),
    // Called through the global object: some platforms refuse it under another `this`.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    headers: {
      'postrider-client': `sdk/${VERSION}`,
      ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
      ...(agentId ? { 'x-agent-id': agentId } : {}),
      ...lowerCased(options.headers),
    },
    init: session ? { credentials: 'same-origin' } : {},
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxRetries: options.maxRetries ?? DEFAULT_RETRIES,
    observe: options.observe ?? (() => undefined),
  };
}

/** Headers by names in lower case, so that a later one replaces an earlier one. */
export function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

interface Platform {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  readonly location?: { readonly origin?: string };
}

function environment(name: string): string | undefined {
  return (globalThis as Platform).process?.env?.[name] || undefined;
}

function pageOrigin(): string {
  const { origin } = (globalThis as Platform).location ?? {};
  return origin && origin !== 'null' ? origin : DEFAULT_BASE;
}

/** Paths begin with /v1 by themselves; an address that ends in it, or in a slash, means the same. */
function baseOf(address: string): string {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new TypeError(`The base address ${JSON.stringify(address)} is no URL, such as https://messages.example.`);
  }
  if (!/^https?:$/.test(url.protocol))
    throw new TypeError(`The base address ${address} must begin with https:// or http://.`);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/v1$/, '');
}
