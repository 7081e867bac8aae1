import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** A port that another program listens on. */
export async function takePort(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

export function portOf(server: Server): number {
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}
