import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Clock, systemClock } from '#runtime/clock';
import { recordEvents } from '#testing/test-events';
import { startTestService, type TestService } from '#testing/test-service';
import { makeTestTenant, type TestTenant } from '#testing/test-tenant';

/* A reader of the stream that opens it and does not read. */

/** Goes as the machine's does, and can be put forward. */
class ShiftedClock implements Clock {
  #shiftMs = 0;
  now = systemClock.now;
  after = systemClock.after;
  monotonic = () => systemClock.monotonic() + this.#shiftMs;
  advance(ms: number): void {
    this.#shiftMs += ms;
  }
}

/** More than any pair of sockets keeps on its way. */
const EVENTS = 300;
const BODY = 'x'.repeat(40_000);
/** What one reader may hold in the process: a piece in the connection, one behind it, and what headers add. */
const HELD_BYTES = 256 * 1024;
const MINUTE_MS = 60_000;

const clock = new ShiftedClock();
let kit: TestService;
let tenant: TestTenant;
let firstId: string;
const responses: ServerResponse[] = [];
const note = (message: unknown): void => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  if (request.url?.startsWith('/v1/events/stream')) responses.push(response);
};

beforeAll(async () => {
  subscribe('http.server.request.start', note);
  kit = await startTestService({ clock });
  tenant = await makeTestTenant(kit);
  await recordEvents(kit, tenant.tenantId);
  [{ id: firstId }] = (await tenant.call('GET', '/v1/events')).body.data;
  for (let written = 0; written < EVENTS; written += 100) {
    await recordEvents(
      kit,
      tenant.tenantId,
      Array.from({ length: 100 }, () => ({ data: { body: BODY } })),
    );
  }
});
// The last test closes the service.
afterAll(() => unsubscribe('http.server.request.start', note));

interface Stalled {
  readonly socket: Socket;
  readonly response: ServerResponse;
  /** Bytes that lie in the process, in answer and connection. */
  held(): number;
}

/** Asks for all events and reads nothing; resolves when the service can hand on no more. */
async function stall(): Promise<Stalled> {
  const { hostname, port } = new URL(kit.service.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.pause();
  const before = responses.length;
  const lines = [
    `GET /v1/events/stream?after=${firstId} HTTP/1.1`,
    `Host: ${hostname}`,
    `Authorization: Bearer ${tenant.key}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const response = await kit.until(
    async () => responses[before],
    (seen) => seen?.socket?.writableNeedDrain === true && seen.writableNeedDrain,
    'the connection takes no more',
  );
  if (response === undefined) throw new Error('There is no answer.');
  const held = () => response.writableLength + (response.socket?.writableLength ?? 0);
  return { socket, response, held };
}

test('a reader that does not read costs bounded memory, is waited for, and then gets everything', async () => {
  const { socket, response, held } = await stall();
  expect(held()).toBeLessThan(HELD_BYTES);
  await recordEvents(kit, tenant.tenantId, [{ data: { body: 'the last one' } }]);
  const other = await tenant.call('GET', `/v1/events?after=${firstId}&types=message.received&limit=1`);
  expect(other.status).toBe(200);
  // Most of it is still in the database alone: neither here nor in the sockets.
  expect(response.socket?.bytesWritten).toBeLessThan((EVENTS * BODY.length) / 2);
  expect(held()).toBeLessThan(HELD_BYTES);
  const pieces: string[] = [];
  socket.setEncoding('utf8');
  for await (const piece of socket) {
    pieces.push(piece);
    if (pieces.slice(-2).join('').includes('the last one')) break;
  }
  const text = pieces.join('');
  const sequences = [...text.matchAll(/"sequence":(\d+)/g)].map(([, digits]) => Number(digits));
  expect(sequences).toEqual(Array.from({ length: EVENTS + 1 }, (_, index) => index + 2));
  socket.destroy();
});

test('a reader that takes nothing for a minute is cut off, one that waits for events is not', async () => {
  const idle = await fetch(`${kit.service.url}/v1/events/stream`, {
    headers: { authorization: `Bearer ${tenant.key}` },
  });
  const { socket, response } = await stall();
  await kit.until(
    async () => {
      clock.advance(MINUTE_MS);
      return response.destroyed;
    },
    (destroyed) => destroyed,
    'the stream was cut off',
  );
  socket.destroy();
  const reader = idle.body?.pipeThrough(new TextDecoderStream()).getReader();
  await recordEvents(kit, tenant.tenantId, [{ data: { body: 'still here' } }]);
  let seen = '';
  while (!seen.includes('still here')) {
    const piece = await reader?.read();
    if (piece === undefined || piece.done) throw new Error(`The stream ended after ${seen}`);
    seen += piece.value;
  }
  await reader?.cancel();
});

test('a service that stops does not wait for a reader that does not read', async () => {
  const { socket } = await stall();
  const broken = new Promise((resolve) => socket.once('close', resolve).once('error', resolve));
  await kit.close();
  socket.resume();
  await broken;
});
