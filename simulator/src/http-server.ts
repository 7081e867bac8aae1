import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerControl } from './control/answer.ts';
import { refuseForeign } from './control/foreign.ts';
import { handleControl } from './control/routes.ts';
import { handleGateway, isGatewayPath } from './gateway/routes.ts';
import { refuse } from './graph/answer.ts';
import { networkError } from './graph/errors.ts';
import { parseGraphPath } from './graph/graph-path.ts';
import { handleGraph, handleStream } from './routes.ts';
import type { Simulation } from './simulation.ts';

// A message is some kilobytes; inbound batches of the control plane are larger.
const MAX_BODY_BYTES = 16 * 1024 * 1024;
// Longer than the idle time of common clients, so that the client and not the server ends an idle connection.
const KEEP_ALIVE_MS = 120_000;

/** The server of the network's paths, the control plane and the page; not listening yet. */
export function createSimulatorServer(sim: Simulation): Server {
  const server = createServer({ keepAlive: true, noDelay: true }, (request, response) => {
    noteChange(sim, request, response);
    if (handleStream(sim, request, response)) return;
    readBody(request, (text) => {
      if (text === null)
        refuse(sim, response, { ...networkError(100, 'The request body is too large.'), httpStatus: 413 });
      else route(sim, request, response, text);
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

/** Listens and resolves with the port; rejects with what the operating system says, e.g. EADDRINUSE. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Closes the server and all its connections immediately. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Whatever a request changes, it has changed by the end of its answer. Looking at the control plane changes nothing. */
function noteChange({ state }: Simulation, { method, url = '/' }: IncomingMessage, response: ServerResponse): void {
  if (state === null || (method === 'GET' && (url === '/' || url.startsWith('/_sim/')))) return;
  response.once('close', () => state.changed());
}

function route(sim: Simulation, request: IncomingMessage, response: ServerResponse, text: string): void {
  const url = request.url ?? '/';
  if (url.startsWith('/_sim/') || url === '/' || url.startsWith('/?')) {
    const refused = refuseForeign(request.headers, text);
    if (refused !== null) {
      answerControl(response, refused);
      return;
    }
    void handleControl(sim, { method: request.method ?? 'GET', url, text }).then(
      (result) => answerControl(response, result),
      (error: unknown) => {
        sim.log(`control request failed: ${error instanceof Error ? error.message : String(error)}`);
        answerControl(response, { status: 500, body: { error: 'The simulator failed to handle this request.' } });
      },
    );
    return;
  }
  if (isGatewayPath(url)) {
    handleGateway(sim, { request, response, url, text });
    return;
  }
  const path = parseGraphPath(url);
  if (path === null) refuse(sim, response, networkError(100, 'The version of this address is malformed.'));
  else handleGraph(sim, { request, response, path, text });
}

/** Calls `done` once with the body's text, or with null when it is too large. */
function readBody(request: IncomingMessage, done: (text: string | null) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  });
  request.on('end', () => {
    if (bytes > MAX_BODY_BYTES) return done(null);
    const [only] = chunks;
    // Almost every body is one chunk, which needs no copy.
    done(chunks.length === 1 && only !== undefined ? only.toString('utf8') : Buffer.concat(chunks).toString('utf8'));
  });
}
