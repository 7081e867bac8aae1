import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { relative, resolve } from 'node:path';
import type { OperatorDeps } from '#cli/operator/command';
import { runOperatorCommand } from '#cli/operator/commands';
import { isJsonObject, type JsonObject, type JsonValue } from '#core/json';
import { openPrivateFolder } from '#runtime/private-folder';
import { EXIT, explainExit } from './exit.ts';
import { askOperatorSocket, databaseFingerprint } from './operator-client.ts';

/** sockaddr_un holds 108 bytes with the closing zero (Linux; 104 elsewhere, where listening then fails and is reported). */
const MAX_PATH_BYTES = 107;
const MAX_BODY_BYTES = 1024 * 1024;

export interface OperatorSocket {
  /** False when another process serves it, or it cannot be made. */
  readonly open: boolean;
  close(): Promise<void>;
}

/** Of a process that has none. */
export const NO_SOCKET: OperatorSocket = { open: false, close: async () => undefined };

/** The shorter spelling of the socket's path: the limit is on what is spelled, not on where it leads. */
export function operatorSocketPath(dataDir: string): string {
  const absolute = resolve(dataDir, 'postrider.sock');
  const short = relative(process.cwd(), absolute);
  return short.length < absolute.length ? short : absolute;
}

/**
 * Serves operator commands on a Unix socket in the data folder, for its owner only (mode 0600). A socket that a killed
 * process left is replaced; one that answers is left to its process. The service runs without a socket when it must.
 * @param url where the API of this process is; empty: nowhere
 */
export async function openOperatorSocket(deps: OperatorDeps, url = ''): Promise<OperatorSocket> {
  const { rt } = deps;
  const path = operatorSocketPath(rt.config.dataDir);
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    rt.log.warn(
      { path },
      `operator.no_socket: its path is longer than ${MAX_PATH_BYTES} bytes. Choose a shorter MESSAGING_DATA_DIR.`,
    );
    return NO_SOCKET;
  }
  try {
    openPrivateFolder(rt.config.dataDir);
    if ((await askOperatorSocket(path, 'ping', {})).kind !== 'nobody') return NO_SOCKET;
    rmSync(path, { force: true });
    const server = createServer((request, response) => void answer({ ...deps, url }, request, response));
    await listenPrivately(server, path);
    return { open: true, close: () => closeServer(server) };
  } catch (error) {
    rt.log.warn(
      { path, error: (error as Error).message },
      'operator.no_socket: operator commands cannot reach this process.',
    );
    return NO_SOCKET;
  }
}

/** listen() makes the file before it returns, so that the narrow umask covers exactly this file. */
function listenPrivately(server: Server, path: string): Promise<void> {
  const before = process.umask(0o177);
  try {
    // Of this process alone, also where it shares the port of the API with others.
    server.listen({ path, exclusive: true });
  } finally {
    process.umask(before);
  }
  return new Promise((done, failed) => {
    server.once('error', failed);
    server.once('listening', () => {
      chmodSync(path, 0o600);
      done();
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}

type Serving = OperatorDeps & { readonly url: string };

async function answer(deps: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const name = (request.url ?? '/').slice(1);
  try {
    const input = await readInput(request);
    const result = name === 'ping' ? pong(deps) : await runOperatorCommand(deps, name, input);
    reply(response, 200, result);
  } catch (error) {
    const { exitCode, sentence } = explainExit(error);
    if (exitCode === EXIT.failure)
      deps.rt.log.error({ command: name, error: (error as Error).message }, 'operator.failed');
    reply(response, 409, { error: sentence, exit_code: exitCode });
  }
}

/** What finds this process without any settings needs to know of it. */
function pong({ rt, db, url }: Serving): JsonObject {
  const { databaseUrl, networkUrl, dataDir } = rt.config;
  return {
    pid: process.pid,
    kind: db.kind,
    database: databaseFingerprint(databaseUrl),
    url,
    network_url: networkUrl,
    data_dir: resolve(dataDir),
  };
}

async function readInput(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('The command is too long.');
    chunks.push(chunk);
  }
  const parsed = (bytes === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'))) as JsonValue;
  return isJsonObject(parsed) ? parsed : {};
}

function reply(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
