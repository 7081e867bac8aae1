import type { Answered, CallOptions } from './call.ts';
import { type Connection, lowerCased } from './connection.ts';
import { ConnectionError, errorOf, PostriderError, TimeoutError, UnexpectedAnswerError } from './errors.ts';
import { deadline, delay } from './timing.ts';

/** A request before it is sent. */
export interface Wire {
  readonly method: string;
  /** From the root of the service, with its own parameters filled in. */
  readonly path: string;
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** Whether a plain object is sent as a form, not as JSON. */
  readonly isForm?: boolean;
  readonly takesKey?: boolean;
  /** Whether the response itself is handed out, with its body unread. */
  readonly isRaw?: boolean;
}

const JSON_TYPE = 'application/json';
/** What servers answer that are something else than the service, or say nothing of their answer. */
const FOREIGN_TYPES = /^$|^text\/plain/;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** Who asks to wait for longer gets the error, and decides. */
const LONGEST_ASKED_WAIT_MS = 60_000;
const KEY_BYTES = 16;
/** Whoever sends the same with this status gets the same answer as before; those of the service that pass by themselves. */
const PASSING = new Set([408, 429]);

/** Sends a request, again when that can help, and reads its answer. */
export async function request(connection: Connection, wire: Wire, options: CallOptions): Promise<Answered<unknown>> {
  const { signal, maxRetries = connection.maxRetries } = options;
  const prepared = prepare(connection, wire, options);
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    try {
      return await attempt(connection, wire, prepared, options);
    } catch (error) {
      signal?.throwIfAborted();
      const waitMs = tries > maxRetries || !(error instanceof PostriderError) ? null : waitOf(error, tries, prepared);
      if (waitMs === null) throw error;
      await delay(waitMs, signal);
    }
  }
}

interface Prepared {
  readonly url: string;
  readonly init: RequestInit;
  /** Whether a try of which nobody knows what it did may be made again. */
  readonly isRepeatable: boolean;
}

function prepare(connection: Connection, wire: Wire, options: CallOptions): Prepared {
  const { body, type } = encode(wire);
  const { idempotencyKey = wire.takesKey ? newKey() : undefined, ifMatch } = options;
  const headers = {
    accept: JSON_TYPE,
    ...(type ? { 'content-type': type } : {}),
    ...connection.headers,
    ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
    ...(ifMatch === undefined ? {} : { 'if-match': typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch }),
    ...(options.agentId ? { 'x-agent-id': options.agentId } : {}),
    ...lowerCased(options.headers),
  };
  const { method } = wire;
  // With If-Match, a second try would fail because the first one has changed the version.
  const isSafe = method !== 'POST' && (ifMatch === undefined || method === 'GET');
  return {
    url: `${connection.baseUrl}${wire.path}${queryText(wire.query)}`,
    init: { method, headers, body: body as NonNullable<RequestInit['body']>, ...connection.init },
    isRepeatable: (wire.takesKey && idempotencyKey !== undefined) || isSafe,
  };
}

/** One try: the request, and all of its answer. */
async function attempt(
  { fetch, timeoutMs: usualMs, observe }: Connection,
  { method, isRaw = false }: Wire,
  { url, init }: Prepared,
  { signal, timeoutMs = usualMs }: CallOptions,
): Promise<Answered<unknown>> {
  const limit = deadline(timeoutMs, signal);
  const begunMs = Date.now();
  let response: Response | undefined;
  let isReadLater = false;
  try {
    response = await fetch(url, { ...init, signal: limit.signal });
    isReadLater = isRaw && response.ok;
    return await read(response, isRaw, new Headers(init.headers).get('accept') === JSON_TYPE);
  } catch (error) {
    if (error instanceof PostriderError) throw error;
    const cause = { cause: error };
    if (limit.isOver())
      throw new TimeoutError(`No answer from ${url} in ${timeoutMs} ms.`, { code: 'timed_out', ...cause });
    throw new ConnectionError(`The connection to ${url} failed: ${reasonOf(error)}`, {
      code: 'connection_failed',
      ...cause,
    });
  } finally {
    // The caller's signal also ends what is still to be read.
    if (isReadLater) limit.pause();
    else limit.clear();
    const requestId = response?.headers.get('x-request-id') ?? null;
    const durationMs = Date.now() - begunMs;
    observe({ method, url, body: init.body, status: response?.status ?? null, requestId, durationMs });
  }
}

/** @throws {PostriderError} when the answer is an error, or is not what was asked for */
async function read(response: Response, isRaw: boolean, wantsJson: boolean): Promise<Answered<unknown>> {
  const { headers, ok } = response;
  const requestId = headers.get('x-request-id');
  const warnings = headers.get('postrider-warning')?.split(/, */) ?? [];
  const answered = { response, requestId, warnings, isReplay: headers.get('idempotent-replayed') === 'true' };
  if (ok && isRaw) return { ...answered, data: response };
  const text = await response.text();
  if (!ok) throw errorOf(response, text, retryAfterOf(headers));
  if (text === '') return { ...answered, data: undefined };
  const type = headers.get('content-type') ?? '';
  if (/\bjson\b/.test(type)) return { ...answered, data: JSON.parse(text) };
  // Whoever asked for something else than JSON, with a header or in the query, gets its text.
  const isForeign = /\bhtml\b/.test(type) || (wantsJson && FOREIGN_TYPES.test(type));
  if (!isForeign) return { ...answered, data: text };
  const what = `${response.url} answered with ${type || 'something'}, not with JSON: is the base address right?`;
  throw new UnexpectedAnswerError(what, { code: 'unexpected_answer', status: response.status, requestId });
}

/** How long to wait before the next try; null: it would not help, or could do it twice. */
function waitOf(
  { status, code, retryAfterMs }: PostriderError,
  tries: number,
  { isRepeatable }: Prepared,
): number | null {
  const isPassing = status !== null && (PASSING.has(status) || code === 'request_in_progress');
  // Without an answer, or with 5xx, it may have been executed.
  const isUnknown = status === null || status >= 500 || status === 408;
  if (!isPassing && !isUnknown) return null;
  if (isUnknown && !isRepeatable) return null;
  if ((retryAfterMs ?? 0) > LONGEST_ASKED_WAIT_MS) return null;
  const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
  // Between half and all of it, so that clients that failed together do not come back together.
  return Math.max(retryAfterMs ?? 0, (waitMs * (1 + Math.random())) / 2);
}

/** Null: the header is missing, or is neither seconds nor a date. */
function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** `randomUUID` is missing on pages without TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return `sdk-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function encode({ body, isForm = false }: Wire): { readonly body: unknown; readonly type: string | null } {
  if (body === undefined || body === null) return { body: undefined, type: null };
  if (typeof body === 'string') return { body, type: 'text/csv' };
  if (body instanceof FormData) return { body, type: null };
  if (body instanceof Blob) return { body, type: body.type || 'application/octet-stream' };
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return { body, type: 'application/octet-stream' };
  if (!isForm) return { body: JSON.stringify(body), type: JSON_TYPE };
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value !== undefined) form.append(name, value instanceof Blob ? value : String(value));
  }
  return { body: form, type: null };
}

function queryText(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, valueText(value)])).toString();
  return text && `?${text}`;
}

function valueText(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { code?: string; message?: string } };
  return [message, cause?.message || cause?.code].filter(Boolean).join(', ');
}
