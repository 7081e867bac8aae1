import type { AddressInfo } from 'node:net';
import { createServer as createTcp, type Socket } from 'node:net';
import { createServer as createTls } from 'node:tls';

/** What a log server does with a connection. */
export type LogServerWay = 'takes' | 'takes slowly' | 'hangs' | 'closes at once';

/** A log server for syslog with octet counting, on a free port of the loopback. */
export interface LogServer {
  /** As MESSAGING_AUDIT_SYSLOG takes it. */
  readonly address: string;
  /** Messages of connections that were read to their end, in order. */
  readonly messages: readonly string[];
  readonly connections: number;
  way: LogServerWay;
  close(): Promise<void>;
}

const SLOW_MS = 100;

/** @param tls key and certificate; absent: plain TCP */
export async function startLogServer(tls?: { readonly key: string; readonly cert: string }): Promise<LogServer> {
  const sockets = new Set<Socket>();
  const messages: string[] = [];
  const serve = (socket: Socket) => {
    sockets.add(socket);
    server.connections += 1;
    socket.on('error', () => undefined);
    if (server.way === 'closes at once') socket.end();
    if (server.way === 'takes' || server.way === 'takes slowly') take(socket, messages, server.way === 'takes slowly');
  };
  const listener = tls === undefined ? createTcp({ allowHalfOpen: true }, serve) : createTls(tls, serve);
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  const server = {
    address: `${tls === undefined ? 'tcp://127.0.0.1' : 'tls://localhost'}:${port}`,
    messages,
    connections: 0,
    way: 'takes' as LogServerWay,
    close: () =>
      new Promise<void>((resolve) => {
        listener.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return server;
}

function take(socket: Socket, messages: string[], isSlow: boolean): void {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    if (!isSlow) return;
    socket.pause();
    setTimeout(() => socket.resume(), SLOW_MS);
  });
  socket.on('end', () => {
    messages.push(...framesIn(text));
    socket.end();
  });
}

/** @throws Error where a frame does not begin with its length */
export function framesIn(text: string): readonly string[] {
  const frames: string[] = [];
  let rest = text;
  while (rest !== '') {
    const [head, digits] = /^(\d+) /.exec(rest) ?? [];
    if (head === undefined) throw new Error(`No length before ${rest.slice(0, 40)}`);
    const end = head.length + Number(digits);
    frames.push(rest.slice(head.length, end));
    rest = rest.slice(end);
  }
  return frames;
}
