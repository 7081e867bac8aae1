import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

/** What a peer does to an exchange: everything but ending it properly. */
export const STUBBORN_WAYS = ['never answers', 'drips headers', 'drips a body', 'drips chunks', 'closes'] as const;
export type StubbornWay = (typeof STUBBORN_WAYS)[number];

/** A server whose answers never end. */
export interface StubbornPeer {
  readonly url: string;
  way: StubbornWay;
  close(): Promise<void>;
}

const DRIP_MS = 20;
const BEGINNINGS: Readonly<Record<StubbornWay, string>> = {
  'never answers': '',
  'drips headers': 'HTTP/1.1 200 OK\r\nx-slow: ',
  'drips a body': 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n',
  'drips chunks': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
  closes: '',
};

/** Listens on a free port of the loopback. */
export async function startStubbornPeer(): Promise<StubbornPeer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => begin(socket, peer.way));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const peer: StubbornPeer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    way: 'never answers',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return peer;
}

function begin(socket: Socket, way: StubbornWay): void {
  if (way === 'closes') {
    socket.destroy();
    return;
  }
  socket.write(BEGINNINGS[way]);
  if (way === 'never answers') return;
  const timer = setInterval(() => socket.write(way === 'drips chunks' ? '1\r\n \r\n' : ' '), DRIP_MS);
  socket.once('close', () => clearInterval(timer));
}
