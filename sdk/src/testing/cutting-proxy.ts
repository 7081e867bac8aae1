import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it passed. */
export interface PassedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

/** What becomes of an exchange; `pass` once the list is used up. */
export type Fate =
  | 'pass'
  /** The service executes it and answers, but the answer never arrives. */
  | 'cut the answer'
  /** Half of the answer arrives. */
  | 'cut within the answer'
  /** Nothing ever arrives, at the service neither. */
  | 'hang'
  /** It answers in the place of the service. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

/** Stands between a client and the service, and breaks what it is told to break. */
export interface CuttingProxy {
  readonly url: string;
  readonly passed: readonly PassedRequest[];
  /** What becomes of the next exchanges, in order. */
  next(...fates: readonly Fate[]): void;
  /** Breaks every connection that is open. */
  cutAll(): void;
  close(): Promise<void>;
}

/** Listens on a free port of the loopback. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const fates: Fate[] = [];
  const passed: PassedRequest[] = [];
  const server = createServer((incoming, answer) => {
    passed.push({ method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers });
    const fate = fates.shift() ?? 'pass';
    if (fate === 'hang') return;
    if (typeof fate === 'string') forward(target, incoming, answer, fate);
    else answer.writeHead(fate.status, fate.headers).end(fate.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    next: (...wanted) => void fates.push(...wanted),
    cutAll: () => server.closeAllConnections(),
    close: () => closed(server),
  };
}

function forward(target: string, incoming: IncomingMessage, answer: ServerResponse, fate: string): void {
  const { method, headers } = incoming;
  const outgoing = request(target + incoming.url, { method, headers }, (reply) => {
    if (fate === 'cut the answer') {
      reply.on('end', () => answer.destroy()).resume();
      return;
    }
    answer.writeHead(reply.statusCode ?? 502, reply.headers);
    if (fate === 'pass') reply.pipe(answer);
    else
      reply.once('data', (chunk: Buffer) => answer.write(chunk.subarray(0, chunk.length / 2), () => answer.destroy()));
  });
  // Whatever ends, the other side ends too.
  outgoing.on('error', () => answer.destroy());
  answer.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
