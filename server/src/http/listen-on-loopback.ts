import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Runtime } from '#runtime/runtime';

/** The two addresses that `localhost` may mean: which one it is depends on the machine and on the program that asks. */
const OTHER: Readonly<Record<string, string>> = { '127.0.0.1': '::1', '::1': '127.0.0.1' };
/** The machine has no such address; nothing can ask for it then. */
const ABSENT = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/**
 * Serves a server that listens on one loopback address on the other one too, at the same port, so that `localhost`
 * leads here. Connections are handed to the server itself: its limits are for both.
 * @returns lets no more in, and leaves the connections to the server; null when the server does not listen on a loopback address, or the other one cannot be had
 */
export async function listenOnOtherLoopback(
  { log, config }: Pick<Runtime, 'log' | 'config'>,
  server: HttpServer,
): Promise<(() => void) | null> {
  const { address, port } = server.address() as AddressInfo;
  const host = OTHER[address];
  if (host === undefined) return null;
  const second = createServer((socket) => server.emit('connection', socket));
  second.maxConnections = config.maxConnections;
  try {
    await listening(second, host, port);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!ABSENT.includes(code))
      log.warn({ host, port, code }, 'config.localhost_taken: another program may answer at localhost.');
    return null;
  }
  return () => void second.close();
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((done, failed) => {
    server.once('error', failed);
    server.listen({ host, port, ipv6Only: host === '::1' }, () => {
      server.off('error', failed);
      done();
    });
  });
}
