import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A way to the service on which connections break. */
export interface CuttingProxy {
  readonly url: string;
  /** Connections cut so far. */
  readonly cuts: number;
  /** Breaks all connections; later ones wait until `leadTo`. */
  hold(): void;
  /** Leads waiting and later connections to another service. */
  leadTo(url: string): void;
  close(): Promise<void>;
}

/**
 * Passes bytes on, and breaks each connection after so many from the client as `nextLimit` says (Infinity: never).
 * @param target address of the service
 */
export async function startCuttingProxy(target: string, nextLimit: () => number): Promise<CuttingProxy> {
  const open = new Set<Socket>();
  let port = Number(new URL(target).port);
  let letGo: () => void = () => undefined;
  let passable: Promise<void> = Promise.resolve();
  let cuts = 0;
  const server = createServer((client) => {
    client.on('error', () => client.destroy());
    open.add(client);
    void passable.then(() => join(client));
  });
  const join = (client: Socket): void => {
    const upstream = connect(port, '127.0.0.1');
    const limit = nextLimit();
    let passed = 0;
    const end = (): void => {
      client.destroy();
      upstream.destroy();
      open.delete(client);
    };
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
    upstream.pipe(client);
    client.on('data', (chunk: Buffer) => {
      const room = limit - passed;
      passed += chunk.length;
      upstream.write(chunk.subarray(0, Math.max(0, room)));
      if (passed <= limit) return;
      cuts += 1;
      // What was written still leaves: the service gets exactly `limit` bytes.
      upstream.end();
      client.destroy();
    });
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get cuts() {
      return cuts;
    },
    hold: () => {
      passable = new Promise((resolve) => {
        letGo = resolve;
      });
      for (const socket of open) socket.destroy();
    },
    leadTo: (url) => {
      port = Number(new URL(url).port);
      letGo();
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
