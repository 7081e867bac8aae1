import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A door in front of PostgreSQL that tests open, slam and freeze. */
export interface DatabaseDoor {
  /** The address of the database, through this door. */
  readonly url: string;
  /** When somebody knocked at the closed door, in monotonic milliseconds. */
  readonly knocks: readonly number[];
  /** Breaks every connection and refuses new ones. */
  slam(): void;
  /** From now on takes connections and bytes, and answers nothing, as a stopped server does. */
  freeze(): void;
  /** Passes on what came meanwhile, and everything from then on. */
  thaw(): void;
  close(): Promise<void>;
}

export async function openDoor(databaseUrl: string): Promise<DatabaseDoor> {
  const target = new URL(databaseUrl);
  const knocks: number[] = [];
  const inside = new Set<Socket>();
  let state: 'open' | 'slammed' | 'frozen' = 'open';
  const server = createServer((visitor) => {
    visitor.on('error', () => undefined);
    if (state === 'slammed') {
      knocks.push(performance.now());
      visitor.destroy();
      return;
    }
    const host = connect(Number(target.port), target.hostname).on('error', () => undefined);
    const both = [visitor, host];
    for (const socket of both) inside.add(socket);
    visitor.pipe(host).pipe(visitor);
    if (state === 'frozen') for (const socket of both) socket.pause();
    visitor.on('close', () => {
      for (const socket of both) inside.delete(socket);
      // What a frozen server has in its ears it still hears when it wakes up.
      host.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    knocks,
    slam: () => {
      state = 'slammed';
      for (const socket of inside) socket.destroy();
    },
    freeze: () => {
      state = 'frozen';
      for (const socket of inside) socket.pause();
    },
    thaw: () => {
      state = 'open';
      for (const socket of inside) socket.resume();
    },
    close: () => {
      for (const socket of inside) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
