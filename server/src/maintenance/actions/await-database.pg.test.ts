import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StorageUnavailable } from '#database/database';
import { type Clock, systemClock } from '#runtime/clock';
import { freePort } from '#testing/free-port';
import { testRuntime } from '#testing/test-runtime';
import { awaitDatabase } from './await-database.ts';

/** Pauses are over immediately, and each took as long as it should have. */
class HastyClock implements Clock {
  #passedMs = 0;
  now(): number {
    return systemClock.now() + this.#passedMs;
  }
  monotonic(): number {
    return this.#passedMs;
  }
  after(ms: number, task: () => void): () => void {
    return systemClock.after(1, () => {
      this.#passedMs += ms;
      task();
    });
  }
}

const lines: { readonly msg: string; readonly reason: string; readonly limitS: number }[] = [];
let onLine: () => void = () => undefined;
const log = pino(
  { level: 'warn' },
  {
    write: (line: string) => {
      lines.push(JSON.parse(line));
      onLine();
    },
  },
);
const server = new URL(process.env.TEST_DATABASE_URL ?? '');
let door: Server | null = null;
let port = 0;

beforeEach(async () => {
  lines.length = 0;
  onLine = () => undefined;
  port = await freePort();
});
afterEach(async () => {
  door?.close();
  door = null;
});

/** The address of the server behind a door that is still shut. */
function behindDoor(): string {
  const url = new URL(server);
  url.host = `127.0.0.1:${port}`;
  return url.href;
}

async function openDoor(): Promise<void> {
  door = createServer((socket) => {
    const inside = connect(Number(server.port), server.hostname);
    socket.pipe(inside).pipe(socket);
    for (const one of [socket, inside]) one.on('error', () => socket.destroy());
  }).listen(port, '127.0.0.1');
  await once(door, 'listening');
}

const runtime = (databaseUrl: string, databaseWaitS: number) =>
  testRuntime({ databaseUrl, databaseWaitS }, new HastyClock(), Math.random, log);

test('a database that comes while the service starts is used, and each vain attempt has left a line', async () => {
  onLine = () => {
    if (lines.length === 3) void openDoor();
  };
  const db = await awaitDatabase(runtime(behindDoor(), 3_600), null);
  expect((await db.run({ name: '', text: 'select 1 as one' }, [])).rows).toEqual([{ one: 1 }]);
  await db.close();
  expect(lines.length).toBeGreaterThanOrEqual(3);
  expect(lines[0]).toMatchObject({ msg: 'storage.awaited', limitS: 3_600 });
  expect(lines[0]?.reason).toContain('ECONNREFUSED');
});

test('after the limit the start fails with the reason', async () => {
  await expect(awaitDatabase(runtime(behindDoor(), 10), null)).rejects.toBeInstanceOf(StorageUnavailable);
  expect(lines.length).toBe(5);
});

test('without a limit nothing is waited for', async () => {
  await expect(awaitDatabase(runtime(behindDoor(), 0), null)).rejects.toBeInstanceOf(StorageUnavailable);
  expect(lines).toEqual([]);
});

test('whoever stops the service does not wait for the limit', async () => {
  const stop = new AbortController();
  onLine = () => stop.abort();
  await expect(awaitDatabase(runtime(behindDoor(), 3_600), stop.signal)).rejects.toBeInstanceOf(StorageUnavailable);
  expect(lines).toHaveLength(1);
});

test('a database that does not exist ends the start immediately', async () => {
  const wrong = new URL(server);
  wrong.pathname = '/there_is_no_such_database';
  await expect(awaitDatabase(runtime(wrong.href, 3_600), null)).rejects.toThrow(/does not exist/);
  expect(lines).toEqual([]);
});
