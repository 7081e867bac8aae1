import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ask } from '../../harness/ask.ts';
import { pollUntil } from '../../harness/pause.ts';

const ARRIVE_WITHIN_MS = 60_000;

/** Who has endpoints, and where the service is. */
export interface Customer {
  readonly url: string;
  /** Absent: the tenant of the bootstrap. */
  readonly key?: string;
}

export async function allArrived({ arrivals }: Receiver, ids: readonly string[]): Promise<void> {
  await pollUntil({
    what: 'not every webhook arrived',
    everyMs: 20,
    timeoutMs: ARRIVE_WITHIN_MS,
    probe: async () => (ids.every((id) => arrivals.has(id)) ? true : null),
  });
}

/** @returns the id of the new endpoint */
/** @param types of the events that it subscribes to; absent: all @returns its id */
export async function addEndpoint({ url, key }: Customer, target: string, types?: readonly string[]): Promise<string> {
  const body = { url: target, ...(types && { types }) };
  return String((await ask({ origin: url, key, method: 'POST', path: '/v1/webhook-endpoints', body })).id);
}

export async function removeEndpoint({ url, key }: Customer, endpoint: string): Promise<void> {
  await ask({ origin: url, key, method: 'DELETE', path: `/v1/webhook-endpoints/${endpoint}` });
}

/** Asks for a made-up event. @returns its id */
export async function testEndpoint({ url, key }: Customer, endpoint: string): Promise<string> {
  const body = { type: 'message.received' };
  const path = `/v1/webhook-endpoints/${endpoint}/test`;
  return String((await ask({ origin: url, key, method: 'POST', path, body })).event_id);
}

/** An HTTP server that notes what arrives. */
export interface Receiver {
  readonly url: string;
  /** When each event arrived first, by its id. Monotonic milliseconds of this process. */
  readonly arrivals: ReadonlyMap<string, number>;
  /** Requests so far that got no answer. */
  held(): number;
  /** Whether requests for the path stay without an answer from now on; those that wait are broken off at the end. */
  hang(on: boolean): void;
  close(): Promise<void>;
}

/** @param hangingPath what may be made to hang */
export async function startReceiver(hangingPath: string): Promise<Receiver> {
  const arrivals = new Map<string, number>();
  const hanging = new Set<ServerResponse>();
  let held = 0;
  let hangs = false;
  const server: Server = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    if (!arrivals.has(id)) arrivals.set(id, performance.now());
    request.resume();
    // Without an answer the connection stays open until the sender gives up, or the round is over.
    if (!hangs || request.url !== hangingPath) return response.writeHead(204).end();
    held += 1;
    hanging.add(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    arrivals,
    held: () => held,
    hang: (on) => {
      hangs = on;
      for (const response of hanging) response.destroy();
      hanging.clear();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
