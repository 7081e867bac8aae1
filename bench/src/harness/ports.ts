import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that the system hands to outgoing connections (32768 on Linux): a program that is killed and started
 * again must find its port free, not taken by somebody's connection.
 */
const LOWEST = 20_000;
const HIGHEST = 32_000;
const TRIES = 50;
const given = new Set<number>();

/** A port of the loopback address that was free a moment ago and that this process has not given out before. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (!given.has(port) && (await isFree(port))) {
      given.add(port);
      return port;
    }
  }
  throw new Error(`None of ${TRIES} ports from ${LOWEST} to ${HIGHEST} is free.`);
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
