import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection on which a test writes bytes that no HTTP client would write. */
export interface RawConnection {
  readonly socket: Socket;
  /** Everything the server sent; resolves when the connection is closed, by whichever side and in whichever way. */
  readonly closed: Promise<string>;
  /** Resolves with what arrived so far once it matches. */
  arrived(pattern: RegExp): Promise<string>;
}

/** Opens a connection to a server. Errors of the connection end it and are no failure of the test. */
export async function openRaw(base: string): Promise<RawConnection> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close').then(() => text);
  await once(socket, 'connect');
  return {
    socket,
    closed,
    arrived: async (pattern) => {
      while (!pattern.test(text)) {
        await Promise.race([once(socket, 'data'), closed]);
        if (socket.closed && !pattern.test(text)) throw new Error(`Closed before ${pattern}: ${text}`);
      }
      return text;
    },
  };
}

/** Writes one request and returns all that the server sent until it closed the connection. */
export async function exchangeRaw(base: string, request: string | Buffer): Promise<string> {
  const { socket, closed } = await openRaw(base);
  socket.write(request);
  return closed;
}

/** Status codes of all answers in what a server sent, in order. */
export function statusesIn(text: string): readonly number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
