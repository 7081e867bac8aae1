import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A pooler that gives one connection of the server to the transactions of all its clients, one after the other. */
export interface TransactionPooler {
  /** The address of the database, through the pooler. */
  readonly url: string;
  close(): Promise<void>;
}

const PROTOCOL_3 = 196_608;
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const AUTHENTICATED = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);

/** Startup options of a client are dropped, as poolers are told to; transactions of clients wait for each other. */
export async function openTransactionPooler(databaseUrl: string): Promise<TransactionPooler> {
  const target = new URL(databaseUrl);
  const host = connect(Number(target.port), target.hostname);
  host.write(startupOf(target));
  const waiting: { readonly client: Socket; readonly bytes: Buffer }[] = [];
  const clients = new Set<Socket>();
  let holder: Socket | null = null;
  const ready = new Promise<void>((resolve) => {
    host.once('data', () => resolve());
  });
  const next = (): void => {
    const turn = waiting.shift();
    holder = turn?.client ?? null;
    if (turn) host.write(turn.bytes);
  };
  await ready;
  host.on('data', (bytes) => {
    holder?.write(bytes);
    // Each question of these tests is one transaction, and its answer one packet that ends like this.
    if (bytes.subarray(-READY.length).equals(READY)) next();
  });
  const server = createServer((client) => {
    clients.add(client.on('error', () => undefined));
    client.once('data', () => {
      client.write(Buffer.concat([AUTHENTICATED, READY]));
      client.on('data', (bytes) => {
        // X: the client leaves, and the connection of the server stays.
        if (bytes[0] === 0x58) client.end();
        else waiting.push({ client, bytes });
        if (holder === null) next();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  target.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: target.href,
    close: async () => {
      for (const socket of [host, ...clients]) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function startupOf({ username, pathname }: URL): Buffer {
  const text = `user\0${username}\0database\0${pathname.slice(1)}\0\0`;
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + text.length, 0);
  head.writeInt32BE(PROTOCOL_3, 4);
  return Buffer.concat([head, Buffer.from(text)]);
}
