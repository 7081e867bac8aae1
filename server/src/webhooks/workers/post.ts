import { isIP, type LookupFunction } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { AddressRefused, addressFault, guardedLookup } from '#network/public-hosts';
import { makeNameLookup } from '#runtime/name-lookup';
import type { Runtime } from '#runtime/runtime';
import type { WebhookError } from '#webhooks/domain/webhook';
import { hostOf, parseWebhookAllow, type WebhookAllow } from '#webhooks/domain/webhook-address';

/** What came of posting an event once. Never rejects: a failure is an answer too. */
export interface Posted {
  /** HTTP status; null: there was no answer. */
  readonly status: number | null;
  /** Null: the receiver took it (2xx). */
  readonly error: WebhookError | null;
  readonly detail: string | null;
  /** Beginning of the answer's body, at most 1 KB. */
  readonly response: string | null;
  readonly retryAfter: string | undefined;
}

export interface PostRequest {
  /** Left out: POST. */
  readonly method?: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: none, with GET. */
  readonly body: string | Buffer | null;
  /** Ends the attempt: its time is over, or the service stops. */
  readonly signal: AbortSignal;
}

/** Posts to hosts that nobody has vetted: endpoints of tenants, and push services that browsers name. */
export interface WebhookPoster {
  post(request: PostRequest): Promise<Posted>;
  close(): Promise<void>;
}

/** Of what a receiver answers, kept for the log. */
const SNIPPET_BYTES = 1024;
/** Read so that the connection can be used again; a longer answer costs its connection. */
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 4_000;
const JSON_TYPE = { 'content-type': 'application/json' };

/**
 * A client that refuses, at the moment of each connection, every address that is not public unless the operator allows
 * it: the addresses of a name can change between any check and the connection, so the address that is checked is the
 * one that the socket is opened to. No redirects, no retries, no proxy. The caller limits concurrent posts to one host:
 * a post that waited here for a connection would wait for endpoints of other tenants.
 * @param lookup finds the addresses of a name
 */
export function makeWebhookPoster(allow: WebhookAllow, lookup: LookupFunction): WebhookPoster {
  const guarded = guardedLookup(allow, lookup);
  const agent = new Agent({
    connect: { lookup: guarded, timeout: CONNECT_TIMEOUT_MS },
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The signal of each request is the only deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    post: async (request) => {
      try {
        const fault = addressFault(allow, request.url);
        if (fault !== null) return failed('address_refused', `The address ${fault}.`);
        await findAddress(guarded, request);
        return await exchange(agent, request);
      } catch (error) {
        return classify(error as Error, request.signal);
      }
    },
    close: () => agent.destroy(),
  };
}

/** The same, as the settings of the service have it. */
export function openWebhookPoster({ config, clock }: Pick<Runtime, 'config' | 'clock'>): WebhookPoster {
  const allow = parseWebhookAllow(config.webhookAllow);
  return makeWebhookPoster(allow, makeNameLookup(config, { clock, asksSystem: (name) => allow.hosts.has(name) }));
}

/**
 * A connection creates its TLS context, which takes a millisecond, before it looks the name up. A tenant's name that
 * does not resolve must not cost that. The connection's own lookup is answered from memory. @throws the error of the
 * lookup, or the signal's reason
 */
async function findAddress(lookup: LookupFunction, { url, signal }: PostRequest): Promise<void> {
  const host = hostOf(new URL(url));
  if (isIP(host) !== 0) return;
  signal.throwIfAborted();
  let leave: () => void = () => undefined;
  await new Promise<void>((resolve, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave);
    lookup(host, { all: true }, (error) => (error === null ? resolve() : reject(error)));
  }).finally(() => signal.removeEventListener('abort', leave));
}

async function exchange(agent: Agent, { method = 'POST', url, headers, body, signal }: PostRequest): Promise<Posted> {
  const { origin, pathname, search } = new URL(url);
  const answer = await agent.request({
    origin,
    path: pathname + search,
    method,
    headers: { ...(body !== null && JSON_TYPE), 'user-agent': 'postrider-webhooks', ...headers },
    body,
    signal,
  });
  const response = await readSnippet(answer.body);
  const { statusCode: status } = answer;
  const retryAfter = [answer.headers['retry-after']].flat()[0];
  if (status >= 200 && status < 300) return { status, error: null, detail: null, response, retryAfter };
  const error = status >= 300 && status < 400 ? 'redirect' : 'status';
  const detail = error === 'redirect' ? 'It returned a redirect, which is not followed.' : `It returned ${status}.`;
  return { status, error, detail, response, retryAfter };
}

async function readSnippet(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (size < SNIPPET_BYTES) chunks.push(chunk.subarray(0, SNIPPET_BYTES - size));
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) break;
  }
  // PostgreSQL stores no U+0000.
  return Buffer.concat(chunks).toString('utf8').replaceAll('\u0000', '');
}

function failed(error: WebhookError, detail: string): Posted {
  return { status: null, error, detail, response: null, retryAfter: undefined };
}

function classify(error: Error, signal: AbortSignal): Posted {
  if (signal.aborted) return failed('timeout', 'It did not respond in time.');
  const causes = [error, error.cause as Error | undefined];
  if (causes.some((cause) => cause instanceof AddressRefused)) {
    return failed('address_refused', 'The name resolves to an address that is not public.');
  }
  const code = String((error as NodeJS.ErrnoException).code ?? '');
  if (/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/.test(code)) return failed('dns', `The name was not found (${code}).`);
  if (/CERT|^ERR_(TLS|SSL)|^UNABLE_TO|^EPROTO$/.test(code)) return failed('tls', `TLS failed (${code}).`);
  return failed('connection', `The connection failed (${code === '' ? error.message.slice(0, 200) : code}).`);
}
