import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that the system gives to outgoing connections (32768 on Linux): a program that is killed and started
 * again must find its port free, not used by another connection.
 */
const LOWEST = 20_000;
const HIGHEST = 32_000;
const TRIES = 50;
/** A server that is stopped for a while needs its port again: meanwhile it is free, and nobody else's. */
const given = new Set<number>();

/** Ports of the loopback address that were free a moment ago, and that this process has not been given before. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const found = new Set<number>();
  for (let tried = 0; tried < TRIES * count && found.size < count; tried += 1) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) found.add(port);
  }
  if (found.size < count) throw new Error(`Of the ports from ${LOWEST} to ${HIGHEST} hardly one is free.`);
  return [...found];
}

/** One such port. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
