/** The console's client of the API: the SDK, with the cookie of the person who is signed in. */
import { Postrider, PostriderError } from '@postrider/sdk';
import { takeEarly } from './start/early-reads.ts';

export const postrider = new Postrider({
  session: true,
  fetch: (input, init) => takeEarly(String(input), init) ?? fetch(input, init),
});

/** Its requests are finished by the browser when the page goes away meanwhile. */
const leaving = new Postrider({
  session: true,
  fetch: (input, init) => fetch(input, { ...init, keepalive: true }),
});

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly query?: object;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  /** The version that a change is meant for: another one is refused. */
  readonly ifMatch?: number;
  readonly signal?: AbortSignal;
  /** Whether the page is going away. */
  readonly isLeaving?: boolean;
  /** How often a request is repeated that may pass the next time; absent: as usual. */
  readonly maxRetries?: number;
}

/** Calls an operation by its path, and answers with its data. @throws PostriderError */
export async function call<T>(path: string, options: Call = {}): Promise<T> {
  const { method = 'GET', query, body, idempotencyKey, ifMatch, signal, maxRetries, isLeaving = false } = options;
  const client = isLeaving ? leaving : postrider;
  return client.request<T>({ method, path, query, body }, { idempotencyKey, ifMatch, signal, maxRetries });
}

/** The status of an answer that refused the request; null when no answer came, or the service itself failed. */
export function refusalStatus(error: unknown): number | null {
  if (!(error instanceof PostriderError) || error.status === null) return null;
  return error.status < 500 ? error.status : null;
}
